import { describe, expect, it } from '@jest/globals';

import { maxConnectionsFor, poolSizeWithin } from './connection-limit.js';

const four = { processes: 4, databasePoolSize: 20, redisUrl: undefined };

describe('The connections of several processes', () => {
  it('fit into the server that is started for them', () => {
    expect(maxConnectionsFor(four)).toBe(4 * (20 + 12) + 10);
    expect(poolSizeWithin(maxConnectionsFor(four), four)).toBe(20);
  });

  it('are fewer if the server does not allow all of them', () => {
    expect(poolSizeWithin(97, four)).toBe(9);
    expect(poolSizeWithin(97, { ...four, redisUrl: 'redis://localhost' })).toBe(20);
    expect(poolSizeWithin(500, four)).toBe(20);
  });

  it('are refused if the server allows too few', () => {
    expect(() => poolSizeWithin(97, { ...four, processes: 8 })).toThrow(
      'PROCESSES=8 needs a PostgreSQL that allows 138 connections, and it allows 97: raise its max_connections or lower PROCESSES.',
    );
  });
});
