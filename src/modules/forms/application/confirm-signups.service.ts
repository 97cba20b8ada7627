import { Injectable } from '@nestjs/common';

import { LockedBatcher } from '../../../concurrency/locked-batcher.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { expiresAt } from '../domain/signup.js';
import { type OpenSignup, SignupRepository } from './ports/signup.repository.js';
import { SendFormMails } from './send-form-mails.service.js';
import { type Confirmation, SubscribeContacts } from './subscribe-contacts.service.js';

/** Sign-ups that one transaction confirms. */
const MAX_BATCH = 100;

/** The use of a confirmation link by a person. */
export interface UsedLink extends Pick<Confirmation, 'ip' | 'userAgent'> {
  accountId: string;
  signupId: string;
}

/** The result of using a link. If the sign-up is not confirmed, its address is suppressed. */
export interface ConfirmOutcome {
  signup: OpenSignup;
  isConfirmed: boolean;
}

@Injectable()
export class ConfirmSignups {
  private readonly batches: LockedBatcher<UsedLink, ConfirmOutcome | null>;

  constructor(
    transactions: TransactionRunner,
    faults: DatabaseFaults,
    private readonly signups: SignupRepository,
    private readonly subscribeContacts: SubscribeContacts,
    private readonly mails: SendFormMails,
    private readonly clock: Clock,
  ) {
    this.batches = new LockedBatcher((links) => this.write(links), { transactions, faults, maxSize: MAX_BATCH });
  }

  /**
   * Confirms the sign-up once, whoever else does so at the same time; again, it changes nothing. Null if it has expired
   * or is not stored any more.
   */
  confirm(link: UsedLink): Promise<ConfirmOutcome | null> {
    return this.batches.add(link.accountId, link);
  }

  /** All links are of one account. */
  private async write(links: readonly UsedLink[]): Promise<(ConfirmOutcome | null)[]> {
    const accountId = links[0]?.accountId ?? '';
    const bySignup = new Map(links.map((link) => [link.signupId, link]));
    await this.subscribeContacts.lock(accountId);
    const now = this.clock.now();
    const found = await this.signups.findByIds(accountId, [...bySignup.keys()], 'lock');
    const valid = new Map(found.filter((signup) => expiresAt(signup) > now).map((signup) => [signup.id, signup]));
    const open = [...valid.values()].filter(({ state }) => state !== 'confirmed');
    const suppressed = new Set(open.map(({ id }) => id));
    for (const { id } of await this.subscribe(accountId, open, bySignup, now)) suppressed.delete(id);
    return links.map(({ signupId }) => {
      const signup = valid.get(signupId);
      return signup ? { signup, isConfirmed: !suppressed.has(signupId) } : null;
    });
  }

  private async subscribe(
    accountId: string,
    open: readonly OpenSignup[],
    links: ReadonlyMap<string, UsedLink>,
    now: Date,
  ): Promise<OpenSignup[]> {
    if (open.length === 0) return [];
    // A person may be faster than the process that records that the mail was accepted.
    const unrecorded = open.filter(({ messageLogId }) => messageLogId === null);
    const accepted = unrecorded.length > 0 ? await this.mails.findConfirmations(accountId, unrecorded) : null;
    const confirmations = open.map((signup): Confirmation => {
      const { ip = null, userAgent = null } = links.get(signup.id) ?? {};
      return { signup, ip, userAgent, messageLogId: signup.messageLogId ?? accepted?.get(signup.id) ?? null };
    });
    const added = await this.subscribeContacts.subscribe(accountId, confirmations, now);
    await this.signups.recordConfirmed(accountId, added, now);
    return added;
  }
}
