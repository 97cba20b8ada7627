import { describe, expect, it } from '@jest/globals';

import type { IdempotencyStore } from '../../messages/index.js';
import { IdempotentSend } from './idempotent-send.service.js';

const REQUEST = { accountId: 'account', apiKeyId: 'key', idempotencyKey: { key: 'order 1', fingerprint: 'f' } };

function sendAfter(earlier?: { fingerprint: string; messageId: string }) {
  return new IdempotentSend({ find: () => Promise.resolve(earlier) } as unknown as IdempotencyStore);
}

describe('IdempotentSend', () => {
  it('reports a fault as such, whatever came before', async () => {
    const fault = new Error('lost connection');
    const send = sendAfter({ fingerprint: 'f', messageId: 'earlier' });
    await expect(send.acceptOnce(REQUEST, Promise.reject(fault))).rejects.toBe(fault);
  });

  it('asks the client to try again if the earlier request expired meanwhile', async () => {
    const duplicate = Promise.resolve({ outcome: 'duplicate' } as const);
    await expect(sendAfter().acceptOnce(REQUEST, duplicate)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
