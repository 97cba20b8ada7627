import { afterEach, describe, expect, it } from '@jest/globals';

import { openRedis } from './redis-client.js';

describe('A client of a Redis that fails over', () => {
  let client: Awaited<ReturnType<typeof openRedis>>;
  afterEach(() => {
    client.disconnect();
  });

  it.each(['redis+sentinel://127.0.0.1:1/master', 'redis+cluster://127.0.0.1:1'])(
    'fails without a connection with the error that workers wait after: %s',
    async (url) => {
      client = await openRedis(url);
      await expect(client.get('key')).rejects.toThrow(/^Connection is closed\.$/);
    },
  );
});
