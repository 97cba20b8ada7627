import { beforeEach, describe, expect, it } from '@jest/globals';

import { type Page, type PageRequest, toPage } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import type { Account, AccountDirectory, OpenTestAccount } from '../../accounts/index.js';
import { type ApiKey, type ApiKeyChange, hashSecret } from '../domain/api-key.js';
import { ManageKeys, type NewApiKey } from './manage-keys.service.js';
import { ApiKeyRepository } from './ports/api-key.repository.js';

const NOW = new Date('2026-03-01T10:00:00Z');
const WANTED: NewApiKey = { name: 'Web shop', scopes: ['send'] };

class FixedClock extends Clock {
  now = () => NOW;
}

class KeysInMemory extends ApiKeyRepository {
  readonly rows: ApiKey[] = [];

  add(key: ApiKey): Promise<void> {
    this.rows.push(key);
    return Promise.resolve();
  }

  list(_accountId: string, page: PageRequest): Promise<Page<ApiKey>> {
    return Promise.resolve(toPage(this.rows, this.rows.length, page));
  }

  find(accountId: string, id: string): Promise<ApiKey | null> {
    const isManagedBy = (key: ApiKey) => (key.testOf ?? key.accountId) === accountId;
    return Promise.resolve(this.rows.find((key) => isManagedBy(key) && key.id === id) ?? null);
  }

  async changeUnlessRevoked(accountId: string, id: string, change: ApiKeyChange): Promise<boolean> {
    const key = await this.find(accountId, id);
    if (!key || key.revokedAt) return false;
    Object.assign(key, change);
    return true;
  }

  async revoke(accountId: string, id: string, now: Date): Promise<ApiKey | null> {
    const key = await this.find(accountId, id);
    if (key) key.revokedAt ??= now;
    return key;
  }

  findBySecretAcrossAccounts = () => Promise.resolve(null);
  recordUseAcrossAccounts = () => Promise.resolve();
}

describe('ManageKeys', () => {
  let rows: KeysInMemory;
  let keys: ManageKeys;
  let opened: string[];

  beforeEach(() => {
    rows = new KeysInMemory();
    const accounts = { get: () => Promise.resolve({ dailySendCap: 100 } as Account) } as unknown as AccountDirectory;
    opened = [];
    const testAccounts = {
      open: (accountId: string) => {
        opened.push(accountId);
        return Promise.resolve();
      },
    } as unknown as OpenTestAccount;
    const runInLane = (_: string, work: () => Promise<unknown>) => work();
    const transactions = { runInLane } as unknown as TransactionRunner;
    keys = new ManageKeys(rows, accounts, testAccounts, transactions, new FixedClock());
  });

  it('stores the hash of the secret, not the secret', async () => {
    const { key, secret } = await keys.create('account', WANTED);
    expect(rows.rows).toEqual([key]);
    expect(key.secretHash).toEqual(hashSecret(secret));
    expect(key.prefix).toBe(secret.slice(0, 8));
    expect(JSON.stringify(key)).not.toContain(secret);
  });

  it('makes a test key one of the test account', async () => {
    const { key, secret } = await keys.create('account', { ...WANTED, mode: 'test' });
    expect(opened).toEqual(['account']);
    expect(key).toMatchObject({ mode: 'test', accountId: testAccountIdOf('account'), testOf: 'account' });
    expect(secret).toMatch(/^sk_test_[\w-]{43}$/);
    expect(key.prefix).toBe(secret.slice(0, 13));
    expect(await keys.get('account', key.id)).toBe(key);
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

  it.each<[string, Partial<NewApiKey>, string]>([
    ['an expiry that is not in the future', { expiresAt: NOW }, 'expiresAt must lie in the future'],
    ['a limit that is not lower than the cap', { dailyLimit: 100 }, 'dailyLimit must be lower than'],
    ['an address range', { ipAllowlist: ['192.0.2.1', '192.0.2.0/24'] }, 'ipAllowlist.1 must be an IPv4 or IPv6'],
  ])('refuses %s, also in a change', async (_, fields, message) => {
    await expect(keys.create('account', { ...WANTED, ...fields })).rejects.toThrow(message);
    const { key } = await keys.create('account', WANTED);
    await expect(keys.change('account', key.id, fields)).rejects.toThrow(message);
  });

  it('keeps absent fields and clears those that are null', async () => {
    const { key } = await keys.create('account', { ...WANTED, dailyLimit: 5, ipAllowlist: ['192.0.2.1'] });
    const changed = await keys.change('account', key.id, { ipAllowlist: null });
    expect(changed).toMatchObject({ name: 'Web shop', dailyLimit: 5, ipAllowlist: [] });
  });

  it('refuses to change a revoked key', async () => {
    const { key } = await keys.create('account', WANTED);
    await keys.revoke('account', key.id);
    await expect(keys.change('account', key.id, { name: 'New' })).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('reports the key of another account as not found', async () => {
    const { key } = await keys.create('other', WANTED);
    const calls = [
      () => keys.get('account', key.id),
      () => keys.change('account', key.id, {}),
      () => keys.revoke('account', key.id),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow('API key not found');
  });
});
