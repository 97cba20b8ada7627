import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { requestsOf } from './hostile-requests.js';

describe('Hostile requests', () => {
  // The tests that send them make a few for each endpoint, from another seed in each run.
  it('can have any value in a query', () => {
    const parameters = [{ name: 'of', in: 'query' as const, required: false, schema: {} }];
    const operation = {
      name: 'GET /api/x',
      method: 'get' as const,
      path: '/api/x',
      parameters,
      body: null,
      security: [],
      answers: new Map(),
    };
    for (const { query } of fc.sample(requestsOf(operation, ['admin']), { seed: 1, numRuns: 20_000 }))
      expect(query).toMatch(/^[\x20-\x7e]*$/);
  });
});
