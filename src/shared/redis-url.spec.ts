import { describe, expect, it } from '@jest/globals';

import { parseRedisUrl } from './redis-url.js';

describe('A Redis URL', () => {
  it.each(['redis://cache:6379/2', 'rediss://user:secret@cache', 'redis://[::1]:6379'])(
    'names one server: %s',
    (url) => {
      expect(parseRedisUrl(url)).toEqual({ kind: 'server', url });
    },
  );

  it('names Sentinels and their master', () => {
    expect(parseRedisUrl('redis+sentinel://one:26380,10.0.0.2,[::1]:26381/mymaster')).toEqual({
      kind: 'sentinel',
      tls: false,
      sentinels: [
        { host: 'one', port: 26_380 },
        { host: '10.0.0.2', port: 26_379 },
        { host: '::1', port: 26_381 },
      ],
      master: 'mymaster',
      db: 0,
    });
  });

  it('has credentials of the servers and of the Sentinels', () => {
    const url = 'rediss+sentinel://app:p%40s%3As@one/my%20master/3?sentinel_username=watch&sentinel_password=w%2Bx';
    expect(parseRedisUrl(url)).toEqual({
      kind: 'sentinel',
      tls: true,
      sentinels: [{ host: 'one', port: 26_379 }],
      master: 'my master',
      db: 3,
      username: 'app',
      password: 'p@s:s',
      sentinelUsername: 'watch',
      sentinelPassword: 'w+x',
    });
  });

  it('names nodes of a Cluster', () => {
    expect(parseRedisUrl('REDISS+CLUSTER://:secret@one:7000,two')).toEqual({
      kind: 'cluster',
      tls: true,
      nodes: [
        { host: 'one', port: 7_000 },
        { host: 'two', port: 6_379 },
      ],
      password: 'secret',
    });
    expect(parseRedisUrl('redis+cluster://one/0')).toMatchObject({ kind: 'cluster', tls: false });
  });

  it.each([
    'cache:6379',
    'http://cache',
    'redis://',
    'redis://cache:port',
    'redis://one:6379,two:6379',
    'redis+sentinel://one:26379',
    'redis+sentinel://one/mymaster/zero',
    'redis+sentinel://one/mymaster?timeout=1',
    'redis+sentinel:///mymaster',
    'redis+sentinel://one,/mymaster',
    'redis+cluster://one:0',
    'redis+cluster://one:70000',
    'redis+cluster://one/1',
    'redis+cluster://:%E0%A4%A@one',
  ])('is refused if it is malformed: %s', (url) => {
    expect(parseRedisUrl(url)).toBeNull();
  });
});
