import type { OpenAPIObject } from '@nestjs/swagger';

import { isRecord } from '../../shared/is-record.js';

type Json = Record<string, unknown>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

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
 * Corrects what Nest generates: nullable enums and references that do not allow null under OpenAPI 3.0.3, and responses
 * and path parameters without a description. Adds examples of request bodies that can be sent unchanged.
 */
export function withStrictDocument(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {} } = document.components ?? {};
  return tighten(document, schemas) as OpenAPIObject;
}

function tighten(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((part) => tighten(part, schemas));
  if (!isRecord(value)) return value;
  const tightened = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tighten(part, schemas)]));
  if (isRecord(tightened.responses)) tightened.responses = describeAll(tightened.responses);
  if (isRecord(tightened.requestBody)) addExample(tightened.requestBody, schemas);
  if (tightened.in === 'path' && tightened.description === undefined) return describeParameter(tightened);
  return tightened.nullable === true ? allowNull(tightened) : tightened;
}

/** OpenAPI 3.0.3 allows null only if an enum lists it, and not through a reference to a type that is not nullable. */
function allowNull(schema: Json): Json {
  const { enum: values, allOf, ...rest } = schema;
  if (Array.isArray(values))
    return { ...schema, enum: values.includes(null) ? values : [...(values as unknown[]), null] };
  if (!Array.isArray(allOf)) return schema;
  return {
    ...rest,
    type: 'object',
    anyOf: [...(allOf as unknown[]), { type: 'object', nullable: true, enum: [null] }],
  };
}

const describeAll = (responses: Json): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      isRecord(response) && response.description === '' && DESCRIPTIONS[status] !== undefined
        ? { ...response, description: DESCRIPTIONS[status] }
        : response,
    ]),
  );

/** Combines the examples of the fields. A body whose fields exclude each other declares its own example. */
function addExample(requestBody: Json, schemas: Schemas): void {
  const media = (requestBody.content as Record<string, Json> | undefined)?.['application/json'];
  const reference = (media?.schema as { $ref?: string } | undefined)?.$ref;
  const schema = reference === undefined ? undefined : schemas[reference.split('/').at(-1) ?? ''];
  if (!media || !isRecord(schema) || media.example !== undefined || media.examples !== undefined) return;
  media.example = Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Json>)
      .filter(([, { example }]) => example !== undefined)
      .map(([name, { example }]) => [name, example]),
  );
}

const PARAMETERS: Readonly<Record<string, string>> = {
  id: 'The id of the resource: `c` followed by 24 characters of `a-z0-9`',
  accountId: 'The id of the account',
  messageId: 'The id of the message',
  token: 'The token from the link',
};

const describeParameter = (parameter: Json): Json => {
  const description = PARAMETERS[parameter.name as string];
  return description === undefined ? parameter : { ...parameter, description };
};
