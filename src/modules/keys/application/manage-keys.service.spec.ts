import { beforeEach, describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AccountDirectory, OpenTestAccount } from '../../accounts/index.js';
import type { ApiKey } from '../domain/api-key.js';
import { ManageKeys, type NewApiKey } from './manage-keys.service.js';
import type { ApiKeyRepository } from './ports/api-key.repository.js';

const NOW = new Date('2026-03-01T10:00:00Z');
const WANTED: NewApiKey = { name: 'Web shop', scopes: ['send'] };

class FixedClock extends Clock {
  now = () => NOW;
}

describe('ManageKeys', () => {
  let keys: ManageKeys;
  let opened: string[];

  beforeEach(() => {
    const rows: ApiKey[] = [];
    const repository = {
      add: (key: ApiKey) => Promise.resolve(rows.push(key)),
      find: (_: string, id: string) => Promise.resolve(rows.find((key) => key.id === id)),
      changeUnlessRevoked: () => Promise.resolve(true),
    } as unknown as ApiKeyRepository;
    opened = [];
    const testAccounts = {
      open: (accountId: string) => {
        opened.push(accountId);
        return Promise.resolve();
      },
    } as unknown as OpenTestAccount;
    const runInLane = (_: string, work: () => Promise<unknown>) => work();
    const transactions = { runInLane } as unknown as TransactionRunner;
    keys = new ManageKeys(repository, {} as AccountDirectory, testAccounts, transactions, new FixedClock());
  });

  it('opens no test account for a live key', async () => {
    const { key, secret } = await keys.create('account', WANTED);
    expect(opened).toEqual([]);
    expect(key).toMatchObject({ mode: 'live', accountId: 'account', testOf: null });
    expect(secret).toMatch(/^sk_[\w-]{43}$/);
  });

  it('stores each scope once and addresses in canonical form', async () => {
    const ipAllowlist = ['2001:DB8:0::1', '2001:db8::1', '192.0.2.1'];
    const { key } = await keys.create('account', { ...WANTED, scopes: ['send', 'send'], ipAllowlist });
    expect(key.scopes).toEqual(['send']);
    expect(key.ipAllowlist).toEqual(['2001:db8::1', '192.0.2.1']);
  });

  it('refuses an expiry that is not in the future, also in a change', async () => {
    const message = 'expiresAt must lie in the future';
    await expect(keys.create('account', { ...WANTED, expiresAt: NOW })).rejects.toThrow(message);
    const { key } = await keys.create('account', WANTED);
    await expect(keys.change('account', key.id, { expiresAt: NOW })).rejects.toThrow(message);
  });
});
