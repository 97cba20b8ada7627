import { describe, expect, it } from '@jest/globals';

import { errorFault } from '../../support/errors.js';
import { StrictDocument } from '../../support/strict-document.js';

type Json = Record<string, unknown>;

const strict = new StrictDocument();
const { document, operations } = strict;

/** What a method of an SDK begins with. */
const VERBS =
  /^(aggregate|cancel|change|check|confirm|copy|create|delete|erase|export|follow|get|import|list|log|pause|preview|receive|record|rename|replace|reschedule|resend|reset|restore|resume|retry|reveal|revoke|rotate|schedule|send|show|start|stop|sync|test|undo|update|upsert|verify)(?=[A-Z])/;

/** The text fields of an example that have their own name as a value, as if nobody had thought of a better one. */
function madeUp(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => madeUp(one, name.replace(/s$/, '')));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([field, inner]) => madeUp(inner, field));
  return value === name ? [name] : [];
}

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

  it('is of OpenAPI 3.1, and uses nothing of 3.0 that it replaces', () => {
    expect(document.openapi).toBe('3.1.0');
    const outdated: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, part] of Object.entries(schema as Json)) {
        if (key === 'nullable' && typeof part === 'boolean') outdated.push(path);
        if (key === 'example' && path.startsWith('/components/schemas')) outdated.push(path);
        if (key !== 'examples') walk(part, `${path}/${key}`);
      }
    };
    walk(document, '');
    expect(outdated).toEqual([]);
  });

  it('defines and describes each tag', () => {
    const tags = document.tags as { name: string; description: string }[];
    const used = operations.flatMap((operation) => operation.tags ?? []);
    expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort());
    expect(tags.filter(({ description }) => !description)).toEqual([]);
  });

  it('describes every operation, response and path parameter', () => {
    const silent = operations.flatMap(({ operationId, summary, description, responses, parameters = [] }) => [
      ...(summary && summary.length <= 120 && description?.startsWith(summary) ? [] : [operationId]),
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
      const takesStream = ['importSuppressions', 'importContactsCsv'].includes(operationId);
      const readsBody = method !== 'get' && !path.startsWith('/health') && !takesStream;
      expect({ operationId, 415: '415' in responses }).toEqual({ operationId, 415: readsBody });
      if (names.includes('apiKey'))
        expect({ operationId, 403: '403' in responses }).toEqual({ operationId, 403: true });
    }
  });

  it('documents 429 for every export', () => {
    const exports = operations.filter(({ responses }) => 'text/csv' in (responses['200']?.content ?? {}));
    expect(exports.map(({ operationId, responses }) => [operationId, '429' in responses])).toEqual([
      ['exportConsents', true],
      ['exportContacts', true],
      ['exportMessages', true],
      ['exportSuppressions', true],
    ]);
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
        Object.entries(properties as Record<string, Json>).flatMap(([field, { type, enum: values, examples }]) =>
          type === 'string' && !values && !examples && !/(^id|Id)$/.test(field) ? [`${name}.${field}`] : [],
        ),
      );
    expect(missing).toEqual([]);
  });

  it('has only examples of responses that are valid', () => {
    const faults = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Json>).flatMap(([field, schema]) =>
        ((schema.examples ?? []) as unknown[]).flatMap((example) =>
          strict.faults(schema, example).map((fault) => `${name}.${field}${fault}`),
        ),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('gives every JSON response a whole example that is valid, in which no text is made up from its name', () => {
    const faults = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const media = content?.['application/json'];
        if (!media) return [];
        const examples = media.examples ? Object.values(media.examples).map(({ value }) => value) : [media.example];
        return examples.flatMap((example) => [
          ...strict.faults(media.schema, example).map((fault) => `${operationId} ${status}${fault}`),
          ...madeUp(example).map((field) => `${operationId} ${status} ${field}`),
        ]);
      }),
    );
    expect(faults).toEqual([]);
  });

  it('gives every error an example for each code, whose body has the status and an own message', () => {
    const errors = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status >= '400' && JSON.stringify(content ?? {}).includes('ErrorResponse'))
        .map(([status, { content }]) => ({ operationId, status, examples: content!['application/json']!.examples })),
    );
    expect(errors.length).toBeGreaterThan(500);
    for (const { operationId, status, examples } of errors) {
      const bodies = Object.entries(examples ?? {});
      const faults = bodies.flatMap(([code, { value }]) => [
        ...((value as { code: string }).code === code ? [] : [code]),
        ...[errorFault(Number(status), value) ?? []].flat(),
      ]);
      expect({ operationId, status, count: bodies.length > 0, faults }).toEqual({
        ...{ operationId, status, count: true, faults: [] },
      });
    }
  });

  it('describes the header with the version on each response, and the limits of a send where they are', () => {
    for (const { operationId, responses } of operations) {
      const isLimited = /^send(Email|Sms)(Batch)?$/.test(operationId);
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const names = Object.keys(headers).filter((name) => name.startsWith('X-'));
        const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
        const own = isLimited && !['401', '403', '503'].includes(status) ? limits : [];
        expect({ operationId, status, names: names.sort() }).toEqual({
          ...{ operationId, status, names: [...own, 'X-Service-Version'] },
        });
      }
    }
  });

  it('has integers for all numbers but rates', () => {
    const fractions = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Json>).flatMap(([field, { type }]) =>
        [type].flat().includes('number') ? [`${name}.${field}`] : [],
      ),
    );
    expect(fractions.filter((name) => !/[rR]ate$/.test(name))).toEqual([]);
  });

  it('prefills nothing in the interactive documentation that may be used once only', () => {
    const prefilled = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ in: place, example, schema }) =>
        place === 'header' && (example ?? (schema as Json).examples ?? (schema as Json).default) !== undefined
          ? [operationId]
          : [],
      ),
    );
    expect(prefilled).toEqual([]);
  });
});
