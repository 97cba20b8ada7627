import { describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';

import { closeQueueClient } from './queue-client.js';

describe('closeQueueClient', () => {
  it('ignores that the server ends the connections that are still closing', async () => {
    const pool = new Pool();
    const reported: Error[] = [];
    pool.on('error', (error) => reported.push(error));
    await closeQueueClient(pool);
    pool.emit('error', new Error('terminating connection due to administrator command'));
    expect(reported).toEqual([]);
  });
});
