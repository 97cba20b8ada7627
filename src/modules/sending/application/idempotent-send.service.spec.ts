import { describe, expect, it } from '@jest/globals';

import { DomainError } from '../../../shared/domain-error.js';
import type { CapUsage, IdempotencyStore } from '../../messages/index.js';
import { IdempotentSend } from './idempotent-send.service.js';

const REQUEST = { accountId: 'account', apiKeyId: 'key', idempotencyKey: { key: 'order 1', fingerprint: 'f' } };
const ACCEPTED = { outcome: 'accepted', messageId: 'new', usage: {} as CapUsage } as const;
const REFUSAL = DomainError.invalid('ada@example.org is suppressed', 'suppressed');

function sendAfter(earlier?: { fingerprint: string; messageId: string }) {
  const lookUps: string[] = [];
  const store = {
    find: (_accountId: string, _apiKeyId: string, key: string) => {
      lookUps.push(key);
      return Promise.resolve(earlier);
    },
  } as IdempotencyStore;
  return { send: new IdempotentSend(store), lookUps };
}

describe('IdempotentSend', () => {
  const earlier = { fingerprint: 'f', messageId: 'earlier' };
  const accept = () => Promise.resolve(ACCEPTED);
  const duplicate = () => Promise.resolve({ outcome: 'duplicate' } as const);
  const refuse = () => Promise.reject(REFUSAL);

  it('accepts a new request without a look-up', async () => {
    const { send, lookUps } = sendAfter();
    expect(await send.acceptOnce(REQUEST, accept())).toBe(ACCEPTED);
    expect(lookUps).toEqual([]);
  });

  it.each([
    ['a duplicate', duplicate],
    ['a request refused since then', refuse],
  ])('answers %s by the earlier message', async (_, repeat) => {
    expect(await sendAfter(earlier).send.acceptOnce(REQUEST, repeat())).toEqual({ messageId: 'earlier', usage: null });
  });

  it('refuses the key of another request', async () => {
    const other = { ...earlier, fingerprint: 'other' };
    await expect(sendAfter(other).send.acceptOnce(REQUEST, duplicate())).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
  });

  it('refuses a new request for its own reason', async () => {
    await expect(sendAfter().send.acceptOnce(REQUEST, refuse())).rejects.toBe(REFUSAL);
  });

  it('refuses a request without a key without a look-up', async () => {
    const { send, lookUps } = sendAfter(earlier);
    await expect(send.acceptOnce({ ...REQUEST, idempotencyKey: undefined }, refuse())).rejects.toBe(REFUSAL);
    expect(lookUps).toEqual([]);
  });

  it('reports a fault as such, whatever came before', async () => {
    const fault = new Error('lost connection');
    await expect(sendAfter(earlier).send.acceptOnce(REQUEST, Promise.reject(fault))).rejects.toBe(fault);
  });

  it('asks the client to try again if the earlier request expired meanwhile', async () => {
    await expect(sendAfter().send.acceptOnce(REQUEST, duplicate())).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
