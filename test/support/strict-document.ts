import { readFileSync } from 'node:fs';

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

import type { Method } from './api-document.js';

type Json = Record<string, unknown>;

interface StrictMedia {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface StrictOperation {
  operationId: string;
  method: Method;
  path: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Json[];
  requestBody?: {
    content: Record<string, StrictMedia>;
  };
  responses: Record<string, { description: string; headers?: Json; content?: Record<string, StrictMedia> }>;
}

const METHODS: Method[] = ['get', 'post', 'put', 'patch', 'delete'];
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** openapi.json by the letter of OpenAPI 3.1, in the strict mode of Ajv; a field that is not described is a fault. */
export class StrictDocument {
  readonly document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Json & {
    paths: Record<string, Partial<Record<Method, Omit<StrictOperation, 'method' | 'path'>>>>;
    components: { schemas: Record<string, Json> };
  };
  readonly operations: StrictOperation[];
  private readonly ajv = new Ajv({
    strict: true,
    allErrors: true,
    allowUnionTypes: false,
    formats: { 'date-time': DATE_TIME, email: /@/, binary: true, double: true },
  });

  constructor() {
    this.ajv.addVocabulary(['components']);
    this.ajv.addSchema({ $id: 'document', components: closed(this.document.components) as Json });
    this.operations = Object.entries(this.document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        return operation ? [{ ...operation, method, path }] : [];
      }),
    );
  }

  /** What is wrong with an answer of the operation, none if it is as described. */
  faultsOf(operation: StrictOperation, status: number, contentType: string, text: string): string[] {
    const response = operation.responses[String(status)];
    if (!response) return [`${status} is not documented: ${text.slice(0, 200)}`];
    const media = response.content?.[contentType];
    if (!media) return contentType === '' && !response.content ? [] : [`${status} ${contentType} is not documented`];
    if (contentType !== 'application/json') return [];
    return this.faults(media.schema, JSON.parse(text));
  }

  /** What is wrong with a value by a schema of the document. */
  faults(schema: Json, value: unknown): string[] {
    const validate: ValidateFunction = this.ajv.compile(closed(schema) as Json);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }: ErrorObject) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** Objects with described fields take no others, and references lead into the document. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: Json = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      key === '$ref' ? `document${part as string}` : key === 'examples' ? part : closed(part as unknown),
    ]),
  );
  if ([result.type].flat().includes('object') && result.properties) result.additionalProperties ??= false;
  return result;
}
