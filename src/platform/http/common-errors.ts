import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

import { codeOfStatus, ERROR_CODES, type ErrorCode } from '../../shared/error-codes.js';
import { errorExample } from './api-errors.js';
import { ErrorResponse } from './error.response.js';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
type Responses = Operation['responses'];
type Response = Exclude<NonNullable<Responses[string]>, { $ref: string }>;
type Media = NonNullable<Response['content']>[string];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

/**
 * Adds the errors that every operation can return, an example to each error that has none, and Retry-After to each 429
 * and 503. What an operation declares itself stays.
 */
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
  const isApi = path.startsWith('/api/');
  const common = isApi || path.includes('{') ? commonErrors(method, operation) : {};
  const statuses = [...new Set([...Object.keys(common), ...Object.keys(operation.responses)])].sort();
  const responses = statuses.map((status): [string, Responses[string]] => {
    const declared = operation.responses[status];
    if (declared && '$ref' in declared) return [status, declared];
    const response: Response = { ...declared, description: declared?.description || (common[status] ?? '') };
    if (!declared) response.content = { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) } } };
    const media = response.content?.['application/json'];
    if (status >= '400' && media && JSON.stringify(media.schema) === REFERENCE)
      response.content = {
        ...response.content,
        'application/json': withExamples(Number(status), media, path, operation),
      };
    return [status, isApi && (status === '429' || status === '503') ? withRetryAfter(response) : response];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

/**
 * Every operation rejects unknown parameters, and reads the body of every other method than GET even if it does not
 * use it. A body that is streamed is refused with 400 instead of 415.
 */
function commonErrors(method: Method, { requestBody }: Operation): Record<string, string> {
  const content = requestBody && 'content' in requestBody ? requestBody.content : {};
  const [type = ''] = Object.keys(content);
  const readsBody = requestBody !== undefined || method !== 'get';
  return {
    400: 'Invalid request; the message names each field or parameter at fault',
    ...(readsBody
      ? {
          408: 'The request body was not received in time',
          413: 'The body is too large',
          ...(STREAMED.has(type) ? {} : { 415: 'The charset or content encoding of the body is not supported' }),
        }
      : {}),
    500: 'Internal error',
    503: 'The database cannot be reached, or too many requests are in flight',
  };
}

const STREAMED: ReadonlySet<string> = new Set(['text/csv', 'multipart/form-data']);

/** The message of a status where an operation does not declare one. */
const MESSAGES: Readonly<Record<number, string>> = {
  411: 'A body larger than 1 MB needs the header Content-Length',
  415: 'unsupported content encoding "x"',
};

function withExamples(status: number, media: Media, path: string, operation: Operation): Media {
  const isCommon = status === 400 || status >= 500;
  const declared = media.examples;
  if (declared && !isCommon) return media;
  const codes: [ErrorCode, string][] =
    status === 401 ? credentialErrors(operation) : [[codeOfStatus(status), messageOf(status, path)]];
  const added = codes.map(([code, message]) => errorExample(status, message, code));
  return { ...media, examples: Object.assign({}, ...added, declared) as NonNullable<Media['examples']> };
}

const REFERENCE = JSON.stringify({ $ref: getSchemaPath(ErrorResponse) });

function messageOf(status: number, path: string): string {
  if (status === 404) return `${resourceOf(path)} not found`;
  if (status === 400) return path.startsWith('/api/') ? 'colour is not a known field' : "Failed to decode param '%zz'";
  return MESSAGES[status] ?? ERROR_CODES[codeOfStatus(status)].example;
}

const KEY_ERRORS = ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'ip_denied'] as const;

function credentialErrors({ security = [] }: Operation): [ErrorCode, string][] {
  const schemes = new Set(security.flatMap((scheme) => Object.keys(scheme)));
  const codes = [
    ...(schemes.has('apiKey') ? KEY_ERRORS : []),
    ...(schemes.has('session') ? ['unauthenticated' as const] : []),
  ];
  return codes.map((code) => [code, ERROR_CODES[code].example]);
}

/** The resource that the first id in a path identifies, as errors name it. Otherwise it is named like the path. */
const RESOURCES: Readonly<Record<string, string>> = {
  'api-keys': 'API key',
  deliveries: 'Webhook delivery',
  'provider-events': 'Account',
  webhooks: 'Webhook endpoint',
};

function resourceOf(path: string): string {
  const before = path.slice(0, path.indexOf('/{')).replace(/^\/api\//, '');
  const collection = before.startsWith('provider-events') ? 'provider-events' : (before.split('/').at(-1) ?? '');
  const named = RESOURCES[collection] ?? collection.replace(/s$/, '');
  return named.charAt(0).toUpperCase() + named.slice(1);
}

const withRetryAfter = (response: Response): Response => ({
  ...response,
  headers: {
    'Retry-After': { description: 'Seconds to wait before retrying', schema: { type: 'integer' } },
    ...response.headers,
  },
});
