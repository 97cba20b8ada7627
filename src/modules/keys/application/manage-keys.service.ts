import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Scope } from '../../../shared/permissions.js';
import type { KeyMode } from '../../../shared/key-mode.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import { AccountDirectory, OpenTestAccount } from '../../accounts/index.js';
import { ApiKey, type ApiKeyChange, canonicalAddress, hashSecret, newSecret, prefixOf } from '../domain/api-key.js';
import { type ApiKeyFilter, ApiKeyRepository } from './ports/api-key.repository.js';

export interface NewApiKey {
  name: string;
  mode?: KeyMode;
  scopes: Scope[];
  expiresAt?: Date | null;
  ipAllowlist?: string[] | null;
  dailyLimit?: number | null;
}

export type WantedChange = Partial<Omit<NewApiKey, 'mode' | 'scopes'>>;

@Injectable()
export class ManageKeys {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly accounts: AccountDirectory,
    private readonly testAccounts: OpenTestAccount,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /** The secret is returned here and stored nowhere. The first test key of an account opens its test account. */
  async create(accountId: string, wanted: NewApiKey): Promise<{ key: ApiKey; secret: string }> {
    const now = this.clock.now();
    const { mode = 'live' } = wanted;
    await this.requireUsableLimits(accountId, mode, wanted, now);
    const secret = newSecret(mode);
    const key = Object.assign(new ApiKey(), {
      id: newId(now),
      ...(mode === 'test' ? { accountId: testAccountIdOf(accountId), testOf: accountId } : { accountId, testOf: null }),
      name: wanted.name,
      prefix: prefixOf(secret, mode),
      secretHash: hashSecret(secret),
      scopes: [...new Set(wanted.scopes)],
      ipAllowlist: toAllowlist(wanted.ipAllowlist),
      dailyLimit: wanted.dailyLimit ?? null,
      expiresAt: wanted.expiresAt ?? null,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: now,
    });
    await this.transactions.runInLane(accountId, async () => {
      if (mode === 'test') await this.testAccounts.open(accountId);
      await this.keys.add(key);
    });
    return { key, secret };
  }

  list(accountId: string, page: PageRequest, filter: ApiKeyFilter): Promise<Page<ApiKey>> {
    return this.keys.list(accountId, page, filter, this.clock.now());
  }

  async get(accountId: string, id: string): Promise<ApiKey> {
    return found(await this.keys.find(accountId, id));
  }

  /**
   * Absent fields are kept; null clears any field but the name. Takes effect with the key's next call. A revoked key
   * cannot be changed; an expired one becomes active again with a later expiry.
   */
  async change(accountId: string, id: string, wanted: WantedChange): Promise<ApiKey> {
    const key = await this.get(accountId, id);
    const change: ApiKeyChange = {
      ...(wanted.name === undefined ? {} : { name: wanted.name }),
      ...(wanted.ipAllowlist === undefined ? {} : { ipAllowlist: toAllowlist(wanted.ipAllowlist) }),
      ...(wanted.expiresAt === undefined ? {} : { expiresAt: wanted.expiresAt }),
      ...(wanted.dailyLimit === undefined ? {} : { dailyLimit: wanted.dailyLimit }),
    };
    if (Object.keys(change).length === 0) return key;
    await this.requireUsableLimits(accountId, key.mode, change, this.clock.now());
    const changeKey = () => this.keys.changeUnlessRevoked(accountId, id, change);
    if (!(await this.transactions.runInLane(accountId, changeKey)))
      throw DomainError.conflict('The API key is revoked');
    return this.get(accountId, id);
  }

  /** Takes effect with the key's next call; revoking again changes nothing. */
  async revoke(accountId: string, id: string): Promise<ApiKey> {
    const revoke = () => this.keys.revoke(accountId, id, this.clock.now());
    return found(await this.transactions.runInLane(accountId, revoke));
  }

  /** A test key has no daily cap of the account that its own limit could be compared with. */
  private async requireUsableLimits(
    accountId: string,
    mode: KeyMode,
    wanted: Pick<NewApiKey, 'expiresAt' | 'dailyLimit'>,
    now: Date,
  ): Promise<void> {
    if (wanted.expiresAt && wanted.expiresAt <= now) throw DomainError.invalid('expiresAt must lie in the future');
    if (wanted.dailyLimit == null || mode === 'test') return;
    const { dailySendCap } = await this.accounts.get(accountId);
    if (wanted.dailyLimit >= dailySendCap) {
      throw DomainError.invalid(`dailyLimit must be lower than the account's daily cap of ${dailySendCap}`);
    }
  }
}

const toAllowlist = (texts: readonly string[] | null = []): string[] => [...new Set((texts ?? []).map(requireAddress))];

function requireAddress(text: string, index: number): string {
  const address = canonicalAddress(text);
  if (address === null) throw DomainError.invalid(`ipAllowlist.${index} must be an IPv4 or IPv6 address, not a range`);
  return address;
}

function found(key: ApiKey | null): ApiKey {
  if (!key) throw DomainError.notFound('API key');
  return key;
}
