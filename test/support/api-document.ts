import { readFileSync } from 'node:fs';

import { Ajv, type ValidateFunction } from 'ajv';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Json = Record<string, unknown>;

/** As in OpenAPI 3.1, its references already followed. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  additionalProperties?: boolean | Schema;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

/** What a schema with a description of its own, or that takes null, refers to. */
export const referredTo = ({ allOf, anyOf }: Schema): Schema | undefined => allOf?.[0] ?? anyOf?.[0];

/** The type of its values other than null. */
export const typeOf = ({ type }: Schema): string | undefined => [type].flat().find((one) => one !== 'null');

/** Compiled when it is first asked for. */
type Validator = () => ValidateFunction;

interface Answer {
  /** By content type; null where it is no JSON. Empty: there is no body. */
  content: Map<string, Validator | null>;
}

/** One endpoint as openapi.json describes it. */
export interface Operation {
  name: string;
  method: Method;
  path: string;
  parameters: Parameter[];
  body: { type: string; schema: Schema } | null;
  /** Who may call it: the names of security schemes; empty for anybody. */
  security: string[];
  answers: Map<number, Answer>;
}

interface Described {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: Json[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Partial<Record<Method, Described>>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS: Method[] = ['get', 'post', 'put', 'patch', 'delete'];
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Every endpoint of openapi.json, those that are added to it included. */
export function readOperations(): Operation[] {
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
  const ajv = new Ajv({
    strictSchema: false,
    strictTypes: false,
    formats: { 'date-time': DATE_TIME, binary: true, double: true },
  });
  const toValidator = (schema: Schema): Validator => {
    let validate: ValidateFunction | undefined;
    return () => (validate ??= ajv.compile(asJsonSchema(follow(schema, document)) as object));
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const described = item[method];
      return described ? [toOperation(method, path, described, document, toValidator)] : [];
    }),
  );
}

function toOperation(
  method: Method,
  path: string,
  { parameters = [], requestBody, security = [], responses }: Described,
  document: Document,
  toValidator: (schema: Schema) => Validator,
): Operation {
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    name: `${method.toUpperCase()} ${path}`,
    method,
    path,
    parameters: parameters.map((parameter) => ({ ...parameter, schema: follow(parameter.schema, document) })),
    body: type && body ? { type, schema: follow(body.schema, document) } : null,
    security: security.flatMap((scheme) => Object.keys(scheme)),
    answers: new Map(
      Object.entries(responses).map(([status, { content = {} }]) => [
        Number(status),
        {
          content: new Map(
            Object.entries(content).map(([type, { schema }]) => [
              type,
              type === 'application/json' ? toValidator(schema) : null,
            ]),
          ),
        },
      ]),
    ),
  };
}

/** The schema with the components that it names in the place of their names; they are not recursive. */
function follow<T>(schema: T, document: Document): T {
  if (Array.isArray(schema)) return schema.map((part: unknown) => follow(part, document)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) return follow(document.components.schemas[$ref.split('/').at(-1)!]!, document) as T;
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, follow(part as unknown, document)])) as T;
}

/** No object may hold fields that are not described. */
function asJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed: Json = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, asJsonSchema(part)]));
  if (typeOf(schema) === 'object' && closed.properties) closed.additionalProperties ??= false;
  return closed;
}
