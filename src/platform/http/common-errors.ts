import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

import { ErrorResponse } from './error.response.js';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
type Responses = Operation['responses'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

/** Adds the errors that every operation can return, unless it declares them, and Retry-After to each 429 and 503. */
export const withCommonErrors = (document: OpenAPIObject): OpenAPIObject => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, item]): [string, Paths[string]] => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        return operation ? [[method, complete(path, method, operation)] as const] : [];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  ),
});

function complete(path: string, method: Method, operation: Operation): Operation {
  const common = path.startsWith('/api/') || path.includes('{') ? commonErrors(method, operation) : {};
  const responses = { ...common, ...operation.responses };
  for (const status of path.startsWith('/api/') ? (['429', '503'] as const) : []) {
    const response = responses[status];
    if (response) responses[status] = withRetryAfter(response);
  }
  return { ...operation, responses };
}

/**
 * Every operation rejects unknown parameters, and reads the body of a POST, PUT or PATCH even if it does not use it.
 */
function commonErrors(method: Method, { requestBody }: Operation): Responses {
  const readsBody = requestBody ?? (method !== 'get' && method !== 'delete');
  return {
    400: describedAs('Invalid request; the message names each field or parameter at fault'),
    ...(readsBody
      ? {
          408: describedAs('The request body was not received in time'),
          413: describedAs('The body is too large'),
          415: describedAs('The charset or content encoding of the body is not supported'),
        }
      : {}),
    500: describedAs('Internal error'),
    503: describedAs('The database cannot be reached, or too many requests are in flight'),
  };
}

const describedAs = (description: string): NonNullable<Responses[string]> => ({
  description,
  content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) } } },
});

const withRetryAfter = (response: NonNullable<Responses[string]>): NonNullable<Responses[string]> =>
  '$ref' in response
    ? response
    : {
        ...response,
        headers: {
          'Retry-After': { description: 'Seconds to wait before retrying', schema: { type: 'integer' } },
          ...response.headers,
        },
      };
