import { describe, expect, it } from '@jest/globals';

import { serverArguments } from './server-settings.js';

describe('serverArguments', () => {
  it('keeps the durable defaults of PostgreSQL unless `durable` is false', () => {
    expect(serverArguments('/c', 1234, true, {}).join(' ')).not.toMatch(/fsync|synchronous_commit|full_page_writes/);
    expect(serverArguments('/c', 1234, false, {})).toEqual(
      expect.arrayContaining(['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    );
  });

  it('lets settings replace a default, but not the address', () => {
    const args = serverArguments('/c', 1234, true, { max_connections: '300', listen_addresses: '*', port: '5432' });
    expect(args).toEqual(expect.arrayContaining(['max_connections=300', 'listen_addresses=127.0.0.1', 'port=1234']));
    expect(args).not.toEqual(expect.arrayContaining(['listen_addresses=*']));
  });
});
