import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';

import { withCommonErrors } from './common-errors.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

const SCHEMA = { schema: { $ref: '#/components/schemas/ErrorResponse' } };

describe('The common errors of operations', () => {
  const describeOne = (path: string, operation: Operation, method: 'get' | 'post' | 'delete' = 'get') => {
    const paths = { [path]: { [method]: operation } };
    return withCommonErrors({ openapi: '3.1.0', info: { title: '', version: '' }, paths }).paths[path]?.[method]
      ?.responses;
  };
  const statuses = (...described: Parameters<typeof describeOne>) => Object.keys(describeOne(...described) ?? {});
  /** The messages of the examples of a status, by their codes. */
  const messages = (responses: Operation['responses'] | undefined, status: number) => {
    const { content } = responses?.[status] as { content: Record<string, { examples: Record<string, unknown> }> };
    return Object.entries(content['application/json']?.examples ?? {}).map(([code, example]) => [
      code,
      (example as { value: { message: string } }).value.message,
    ]);
  };
  const ok = { 200: { description: 'Done' } };
  const body = { content: { 'application/json': {} } };

  it('are 500 and 503 everywhere in the API, 400 for unknown parameters, 408, 413 and 415 with a body', () => {
    expect(statuses('/api/things', { responses: ok })).toEqual(['200', '400', '500', '503']);
    expect(statuses('/api/things/{id}', { responses: ok })).toEqual(['200', '400', '500', '503']);
    const withBody = ['200', '400', '408', '413', '415', '500', '503'];
    expect(statuses('/api/things', { responses: ok, requestBody: body }, 'post')).toEqual(withBody);
    expect(statuses('/api/things/{id}/check', { responses: ok }, 'post')).toEqual(withBody);
    expect(statuses('/api/things/{id}', { responses: ok }, 'delete')).toEqual(withBody);
    expect(statuses('/u/{token}', { responses: ok })).toEqual(['200', '400', '500', '503']);
    expect(describeOne('/api/things', { responses: ok })?.['500']).toEqual({
      description: 'Internal error',
      content: { 'application/json': expect.objectContaining(SCHEMA) as unknown },
    });
  });

  it('have no 415 where the body is streamed', () => {
    const streamed = { content: { 'text/csv': {} } };
    const expected = ['200', '400', '408', '413', '500', '503'];
    expect(statuses('/api/things/import', { responses: ok, requestBody: streamed }, 'post')).toEqual(expected);
  });

  it('keep what is declared, and are not added to the endpoints of operators', () => {
    const own = { description: 'The name is taken or too long' };
    expect(describeOne('/api/things/{id}', { responses: { 400: own } })?.['400']).toEqual(own);
    expect(describeOne('/health/ready', { responses: ok })).toEqual(ok);
  });

  it('have examples: what is declared, and what every operation answers', () => {
    const declared = { conflict: { value: { message: 'Taken' } } };
    const responses = {
      ...{ 401: { description: '', content: { 'application/json': SCHEMA } } },
      ...{ 404: { description: '', content: { 'application/json': SCHEMA } } },
      ...{ 409: { description: '', content: { 'application/json': { ...SCHEMA, examples: declared } } } },
    };
    const described = describeOne('/api/webhooks/{id}/test', { responses, security: [{ session: [] }] }, 'post');
    expect(messages(described, 400)).toEqual([['validation', 'colour is not a known field']]);
    expect(messages(described, 401)).toEqual([['unauthenticated', 'Missing session']]);
    expect(messages(described, 404)).toEqual([['not_found', 'Webhook endpoint not found']]);
    expect(messages(described, 409)).toEqual([['conflict', 'Taken']]);
    expect(messages(described, 413)).toEqual([['too_large', 'The body is larger than 1 MB']]);
    expect(messages(described, 503)).toEqual([['overloaded', 'The service is overloaded']]);
    const ofKeys = describeOne('/api/things', { responses, security: [{ apiKey: [] }] });
    expect(messages(ofKeys, 401).map(([code]) => code)).toEqual([
      ...['missing_api_key', 'invalid_api_key', 'expired_api_key', 'ip_denied'],
    ]);
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
