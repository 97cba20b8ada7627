import { describe, expect, it } from '@jest/globals';

import { createDataSource } from './data-source.js';
import { PooledClient } from './pooled-client.js';

describe('A connection of a pool', () => {
  it('may break when nobody listens', () => {
    const client = new PooledClient();
    expect(client.emit('error', new Error('terminating connection due to unexpected postmaster exit'))).toBe(true);
  });

  it('is one of these in every pool of the database', () => {
    const { extra } = createDataSource('postgres://127.0.0.1/service', [], 1).options as { extra: object };
    expect(extra).toMatchObject({ Client: PooledClient });
  });
});
