import type { OpenAPIObject } from '@nestjs/swagger';

import { versionHeaderOf } from './version.js';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
type Responses = Operation['responses'];
type Headers = NonNullable<Exclude<NonNullable<Responses[string]>, { $ref: string }>['headers']>;

/** Statuses of requests that are refused before the guard that sets the limits; with 503, most of them. */
const BEFORE_LIMITS = new Set(['401', '403', '503']);

/**
 * Describes the version header, which all responses have, and adds the limits of a send to those errors that are
 * returned after the limits were read.
 */
export function withResponseHeaders(document: OpenAPIObject, brand: string): OpenAPIObject {
  const name = versionHeaderOf(brand);
  const version = { [name]: { $ref: `#/components/headers/${name}` } };
  const paths = Object.entries(document.paths).map(([path, item]): [string, Paths[string]] => {
    const operations = Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
      const limits = limitsIn(operation.responses);
      const responses = Object.entries(operation.responses).map(([status, response]) => {
        const headers = { ...version, ...(BEFORE_LIMITS.has(status) ? {} : limits) };
        return [status, { ...response, headers: { ...headers, ...(response as { headers?: Headers }).headers } }];
      });
      return [method, { ...operation, responses: Object.fromEntries(responses) as Responses }];
    });
    return [path, Object.fromEntries(operations) as Paths[string]];
  });
  const description = 'The version of the service, and of this document';
  const headers = { [name]: { description, schema: { type: 'string' }, example: document.info.version } };
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, headers },
  };
}

function limitsIn(responses: Responses): Headers {
  const headers = Object.values(responses).flatMap((response) =>
    Object.entries((response as { headers?: Headers }).headers ?? {}),
  );
  return Object.fromEntries(headers.filter(([name]) => name.startsWith('X-RateLimit-')));
}
