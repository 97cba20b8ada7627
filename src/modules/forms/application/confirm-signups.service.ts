import { Injectable } from '@nestjs/common';

import { KeyedBatcher } from '../../../concurrency/keyed-batcher.js';
import { LOCK_TURN_MS, MAX_LOCKED_IN_STATEMENT_MS, retryWhileLocked } from '../../../concurrency/retry.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { expiresAt } from '../domain/signup.js';
import { type OpenSignup, SignupRepository } from './ports/signup.repository.js';
import { type Confirmation, SubscribeContacts } from './subscribe-contacts.service.js';

/** Sign-ups that one transaction confirms. */
const MAX_BATCH = 100;
/** Each batch takes a connection. */
const MAX_CONCURRENT_BATCHES = 4;

/** A link that a person uses. */
export interface UsedLink extends Omit<Confirmation, 'signup'> {
  accountId: string;
  signupId: string;
}

/** `unknown`: expired, or not stored any more. */
export type ConfirmOutcome = 'confirmed' | 'suppressed' | 'unknown';

@Injectable()
export class ConfirmSignups {
  /** However many people of an account confirm at once, they take one connection. */
  private readonly batches: KeyedBatcher<UsedLink, ConfirmOutcome>;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly signups: SignupRepository,
    private readonly subscribeContacts: SubscribeContacts,
    private readonly clock: Clock,
    private readonly faults: DatabaseFaults,
  ) {
    this.batches = new KeyedBatcher((links) => this.writeBatch(links), {
      maxSize: MAX_BATCH,
      concurrency: MAX_CONCURRENT_BATCHES,
      faults,
    });
  }

  /** Confirms the sign-up once, whoever else does so at the same time; again, it changes nothing. */
  async confirm(link: UsedLink): Promise<ConfirmOutcome> {
    return retryWhileLocked(this.faults, () => this.batches.add(link.accountId, link), MAX_LOCKED_IN_STATEMENT_MS);
  }

  /** All of one account. */
  private async writeBatch(links: readonly UsedLink[]): Promise<ConfirmOutcome[]> {
    const accountId = links[0]?.accountId ?? '';
    const bySignup = new Map(links.map((link) => [link.signupId, link]));
    return this.transactions.run(async () => {
      await this.subscribeContacts.lock(accountId, LOCK_TURN_MS);
      const now = this.clock.now();
      const found = await this.signups.findByIds(accountId, [...bySignup.keys()], 'lock');
      const valid = found.filter((signup) => expiresAt(signup) > now);
      const confirmed = new Set(valid.filter(({ state }) => state === 'confirmed').map(({ id }) => id));
      const open = valid.filter(({ id }) => !confirmed.has(id));
      const added = await this.subscribe(accountId, open, bySignup, now);
      for (const { id } of added) confirmed.add(id);
      const known = new Set(valid.map(({ id }) => id));
      return links.map(({ signupId }) => {
        if (confirmed.has(signupId)) return 'confirmed';
        return known.has(signupId) ? 'suppressed' : 'unknown';
      });
    });
  }

  private async subscribe(
    accountId: string,
    open: readonly OpenSignup[],
    links: ReadonlyMap<string, UsedLink>,
    now: Date,
  ): Promise<OpenSignup[]> {
    const confirmations = open.flatMap((signup) => {
      const link = links.get(signup.id);
      return link ? [{ ...link, signup, messageLogId: signup.messageLogId ?? link.messageLogId }] : [];
    });
    if (confirmations.length === 0) return [];
    const added = await this.subscribeContacts.subscribe(accountId, confirmations, now);
    await this.signups.recordConfirmed(accountId, added, now);
    return added;
  }
}
