import type { OpenAPIObject } from '@nestjs/swagger';

import { isRecord } from '../../shared/is-record.js';
import { SampleValues } from './sample-values.js';

type Json = Record<string, unknown>;

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  302: 'Redirects to the URL of the link',
  400: 'Invalid request; the message names each field at fault',
  401: 'No valid credentials',
  403: 'The credentials do not permit this operation',
  404: 'Not found in this account',
  409: 'Conflicts with the current state',
  413: 'The body is too large',
  429: 'Too many requests',
  500: 'Internal error, or a provider error: then the message begins with "Provider error:"',
  503: 'The service is temporarily unavailable',
};

/**
 * Corrects and completes what Nest generates: numbers are integers unless they have a format, examples in schemas are
 * those of JSON Schema, operations have a short summary beside their description, responses and path parameters a
 * description, and bodies examples. Examples of requests can be sent unchanged.
 */
export function withStrictDocument(document: OpenAPIObject): OpenAPIObject {
  const strict = tighten(document) as OpenAPIObject;
  const schemas = mapValues(strict.components?.schemas ?? {}, toJsonSchema);
  const samples = new SampleValues(schemas as Record<string, Json>);
  const paths = mapValues(strict.paths, (item) =>
    mapValues(item as Json, (operation) => withTexts(withExamples(operation as Json, samples))),
  );
  return { ...strict, paths, components: { ...strict.components, schemas } } as OpenAPIObject;
}

const mapValues = (record: Json, map: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

function tighten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tighten);
  if (!isRecord(value)) return value;
  const tightened = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, tightenPart(key, part)] as const),
  );
  if (isRecord(tightened.responses)) tightened.responses = mapResponses(tightened.responses);
  if (tightened.in === 'path' && tightened.description === undefined) return describeParameter(tightened);
  return tightened;
}

function tightenPart(key: string, part: unknown): unknown {
  if (key === 'schema') return toJsonSchema(part);
  if (key === 'text/plain') return { schema: { type: 'string' } }; // the same body as JSON has another schema
  return key === 'example' || key === 'examples' || key === 'components' ? part : tighten(part);
}

/** Keywords whose values are schemas, or lists of them. */
const SUBSCHEMAS = new Set(['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf']);

function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (!isRecord(schema)) return schema;
  const { example, ...keywords } = schema;
  const strict = Object.fromEntries(
    Object.entries(keywords).map(([key, part]) => {
      if (key === 'properties') return [key, mapValues(part as Json, toJsonSchema)];
      return [key, SUBSCHEMAS.has(key) ? toJsonSchema(part) : part];
    }),
  );
  if (strict.format === undefined) strict.type = integerFor(strict.type);
  if (strict.type === undefined) delete strict.type;
  return example === undefined ? strict : { ...strict, examples: [example] };
}

function integerFor(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(integerFor);
  return type === 'number' ? 'integer' : type;
}

const mapResponses = (responses: Json): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      isRecord(response) && response.description === '' && DESCRIPTIONS[status] !== undefined
        ? { ...response, description: DESCRIPTIONS[status] }
        : response,
    ]),
  );

/** Adds examples to bodies without one of their own: that of a request combines the examples of its fields. */
function withExamples(operation: Json, samples: SampleValues): Json {
  const { requestBody, responses } = operation as { requestBody?: Json; responses: Record<string, Json> };
  const request = jsonOf(requestBody);
  if (isRecord(request?.schema) && '$ref' in request.schema && isUnillustrated(request))
    request.example = samples.ofRequest(request.schema);
  for (const [status, response] of Object.entries(responses)) {
    const media = jsonOf(response);
    if (media && status < '300' && isUnillustrated(media)) media.example = samples.ofResponse(media.schema as Json);
  }
  return operation;
}

const jsonOf = (body: Json | undefined): Json | undefined =>
  (body?.content as Record<string, Json> | undefined)?.['application/json'];

const isUnillustrated = ({ example, examples }: Json): boolean => example === undefined && examples === undefined;

/** A longer first sentence is cut before a comma, colon, semicolon or parenthesis to become the summary. */
const MAX_SUMMARY_LENGTH = 120;
const CLAUSES = new RegExp(`^.{1,${MAX_SUMMARY_LENGTH}}(?=[:;,]| \\()`);

/**
 * Splits the comment of a method, which Nest takes for the summary: its first sentence becomes the summary, all of it
 * the description.
 */
function withTexts(operation: Json): Json {
  const { summary = '', description = summary } = operation as { summary?: string; description?: string };
  const text = description.replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
  const [sentence = ''] = text.split(/\.(?:\s|$)|\n/, 1);
  const clauses = sentence.length > MAX_SUMMARY_LENGTH ? CLAUSES.exec(sentence)?.[0] : undefined;
  return { ...operation, summary: clauses ?? sentence, description: text };
}

const PARAMETERS: Readonly<Record<string, string>> = {
  id: 'The id of the resource: `c` followed by 24 characters of `a-z0-9`',
  accountId: 'The id of the account',
  formId: 'The id of the form',
  messageId: 'The id of the message',
  token: 'The token from the link',
};

const describeParameter = (parameter: Json): Json => {
  const description = PARAMETERS[parameter.name as string];
  return description === undefined ? parameter : { ...parameter, description };
};
