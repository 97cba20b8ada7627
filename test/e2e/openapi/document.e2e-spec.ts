import { describe, expect, it } from '@jest/globals';

import { StrictDocument } from '../../support/strict-document.js';

type Json = Record<string, unknown>;

const strict = new StrictDocument();
const { document, operations } = strict;

/** What a method of an SDK begins with. */
const VERBS =
  /^(aggregate|cancel|change|check|confirm|copy|create|delete|erase|export|follow|get|import|list|log|pause|preview|receive|rename|replace|reschedule|resend|reset|restore|resume|retry|reveal|revoke|rotate|schedule|send|show|start|stop|sync|test|undo|update|upsert|verify)(?=[A-Z])/;

describe('openapi.json', () => {
  it('has no empty text', () => {
    const empty: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value as Json)) {
        if ((key === 'description' || key === 'summary') && typeof part === 'string' && part.trim() === '')
          empty.push(`${path}/${key}`);
        walk(part, `${path}/${key}`);
      }
    };
    walk(document, '');
    expect(empty).toEqual([]);
  });

  it('describes every operation, response and path parameter', () => {
    const silent = operations.flatMap(({ operationId, summary, responses, parameters = [] }) => [
      ...(summary ? [] : [operationId]),
      ...Object.entries(responses).flatMap(([status, { description }]) =>
        description ? [] : [`${operationId} ${status}`],
      ),
      ...parameters.flatMap(({ in: place, name, description }) =>
        place === 'path' && !description ? [`${operationId} ${name as string}`] : [],
      ),
    ]);
    expect(silent).toEqual([]);
  });

  it('names operations as methods: each once, a verb and what it is about', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    expect(ids.filter((id) => !VERBS.test(id) || !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
    expect(ids).toEqual(
      expect.arrayContaining(['sendEmail', 'listMessages', 'getMessage', 'createApiKey', 'updateApiKey']),
    );
  });

  it('documents 401 and 403 where credentials are needed, and 415 where a body is read', () => {
    for (const { operationId, method, path, responses, ...operation } of operations) {
      const security = (operation as { security?: Json[] }).security ?? [];
      const names = security.flatMap((scheme) => Object.keys(scheme));
      expect({ operationId, 401: '401' in responses }).toEqual({
        operationId,
        401: names.length > 0 || operationId === 'logIn',
      });
      const readsBody = method !== 'get' && method !== 'delete' && !path.startsWith('/health');
      expect({ operationId, 415: '415' in responses }).toEqual({ operationId, 415: readsBody });
      if (names.includes('apiKey'))
        expect({ operationId, 403: '403' in responses }).toEqual({ operationId, 403: true });
    }
  });

  it('gives every JSON body an example that holds what is required and is valid', () => {
    const faults = operations.flatMap(({ operationId, requestBody }) => {
      const media = requestBody?.content['application/json'];
      if (!media || !('$ref' in media.schema)) return [];
      const examples = media.examples ? Object.values(media.examples).map(({ value }) => value) : [media.example];
      return examples.flatMap((example) =>
        example === undefined
          ? [`${operationId} has none`]
          : strict.faults(media.schema, example).map((fault) => `${operationId}${fault}`),
      );
    });
    expect(faults).toEqual([]);
  });

  it('gives every text field of a request an example, unless it is an id or one of some values', () => {
    const missing = Object.entries(document.components.schemas)
      .filter(([name]) => name.endsWith('Dto'))
      .flatMap(([name, { properties = {} }]) =>
        Object.entries(properties as Record<string, Json>).flatMap(([field, { type, enum: values, example }]) =>
          type === 'string' && !values && example === undefined && !/(^id|Id)$/.test(field) ? [`${name}.${field}`] : [],
        ),
      );
    expect(missing).toEqual([]);
  });

  it('has only examples of responses that are valid', () => {
    const faults = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Json>).flatMap(([field, schema]) =>
        schema.example === undefined
          ? []
          : strict.faults(schema, schema.example).map((fault) => `${name}.${field}${fault}`),
      ),
    );
    expect(faults).toEqual([]);
  });
});
