import type request from 'supertest';

import { currentVerificationProvider, currentProviderKey } from '../../src/providers/index.js';
import { newId } from '../../src/shared/ids.js';
import { SCOPES, type Scope } from '../../src/shared/permissions.js';
import type { TestClock } from './test-clock.js';

type Method = 'get' | 'post' | 'patch' | 'delete';

export interface TestKey {
  id: string;
  secret: string;
}

/** The part of `TestService` that an account uses. */
interface ServiceOfAccount {
  readonly clock: TestClock;
  request(method: Method, path: string, token?: string): request.Test;
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** The actions of a test as one account. */
export class TestAccount {
  constructor(
    private readonly service: ServiceOfAccount,
    readonly id: string,
    readonly adminToken: string,
    readonly memberToken: string,
  ) {}

  asAdmin(method: Method, path: string): request.Test {
    return this.service.request(method, path, this.adminToken);
  }

  asMember(method: Method, path: string): request.Test {
    return this.service.request(method, path, this.memberToken);
  }

  async createKey(
    wanted: { scopes?: readonly Scope[]; dailyLimit?: number; mode?: 'live' | 'test' } = {},
  ): Promise<TestKey> {
    const { body } = await this.asAdmin('post', '/api/api-keys')
      .send({ name: 'Test', scopes: SCOPES, ...wanted })
      .expect(201);
    return body as TestKey;
  }

  /** As if its link had been sent through `verificationProvider`, by default the account's current provider. */
  async verifySender(email: string, verificationProvider: string | null = null): Promise<void> {
    const now = this.service.clock.now();
    await this.service.query(
      `INSERT INTO senders (id, account_id, email, normalised_email, status, set_up_for, link_carrier, verified_at, created_at)
       SELECT $1, a.id, $3, lower($3), 'verified', ${currentProviderKey('a')}, coalesce($5, ${currentVerificationProvider('a')}), $4, $4
       FROM accounts a WHERE a.id = $2`,
      [newId(now), this.id, email, now, verificationProvider],
    );
  }

  /** As if all its senders had been verified for its current provider. */
  async verifySendersAgain(): Promise<void> {
    await this.service.query(
      `UPDATE senders SET status = 'verified', set_up_for = ${currentProviderKey('a')}, link_carrier = ${currentVerificationProvider('a')}
       FROM accounts a WHERE a.id = account_id AND a.id = $1`,
      [this.id],
    );
  }

  async addDomain(name: string, checks: { dkim: string; spf: string; mailFrom: string }): Promise<void> {
    await this.service.query(
      `INSERT INTO domains (id, account_id, name, dkim_status, spf_status, mail_from_status, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())`,
      [newId(this.service.clock.now()), this.id, name, checks.dkim, checks.spf, checks.mailFrom],
    );
  }
}
