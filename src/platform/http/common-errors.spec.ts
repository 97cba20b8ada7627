import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';

import { withCommonErrors } from './common-errors.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

describe('The common errors of operations', () => {
  const describeOne = (path: string, operation: Operation, method: 'get' | 'post' = 'get') => {
    const paths = { [path]: { [method]: operation } };
    return withCommonErrors({ openapi: '3.0.0', info: { title: '', version: '' }, paths }).paths[path]?.[method]
      ?.responses;
  };
  const statuses = (...described: Parameters<typeof describeOne>) => Object.keys(describeOne(...described) ?? {});
  const ok = { 200: { description: 'Done' } };
  const body = { content: {} };

  it('are 500 and 503 everywhere in the API, 400 for unknown parameters, 408, 413 and 415 with a body', () => {
    expect(statuses('/api/things', { responses: ok })).toEqual(['200', '400', '500', '503']);
    expect(statuses('/api/things/{id}', { responses: ok })).toEqual(['200', '400', '500', '503']);
    const withBody = ['200', '400', '408', '413', '415', '500', '503'];
    expect(statuses('/api/things', { responses: ok, requestBody: body }, 'post')).toEqual(withBody);
    expect(statuses('/api/things/{id}/check', { responses: ok }, 'post')).toEqual(withBody);
    expect(statuses('/u/{token}', { responses: ok })).toEqual(['200', '400', '500', '503']);
    expect(describeOne('/api/things', { responses: ok })?.['500']).toEqual({
      description: 'Internal error',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
    });
  });

  it('do not replace declared errors, and are not added to the endpoints of operators', () => {
    const own = { description: 'The name is taken or too long' };
    expect(describeOne('/api/things/{id}', { responses: { 400: own } })?.['400']).toBe(own);
    expect(describeOne('/health/ready', { responses: ok })).toEqual(ok);
  });

  it('have Retry-After if they are temporary, in addition to declared headers', () => {
    const header = { schema: { type: 'integer' } } as const;
    const responses = { 429: { description: 'Too many', headers: { 'X-Left': header } } };
    expect(describeOne('/api/things', { responses })?.['429']).toMatchObject({
      description: 'Too many',
      headers: { 'X-Left': header, 'Retry-After': { schema: { type: 'integer' } } },
    });
  });
});
