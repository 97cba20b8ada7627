import { Injectable } from '@nestjs/common';

import { LRUCache } from 'lru-cache';

import { type EmailConnection, verificationProviderOf } from '../../../providers/index.js';
import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain, normaliseEmail } from '../../../shared/email-address.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { TtlCache } from '../../../concurrency/ttl-cache.js';
import { VerifiedSenders } from './ports/verified-senders.js';

/** Bounds how long a revoked verification may go unnoticed. */
const MAX_AGE_MS = 1_000;
const MAX_CACHED = 10_000;

/** Decides from which addresses an account may send. */
@Injectable()
export class SenderDirectory {
  private readonly submissions = new TtlCache<boolean>({ max: MAX_CACHED, freshForMs: MAX_AGE_MS });
  /** Addresses that accounts may send from. Addresses that they may not use are read again each time. */
  private readonly verified = new LRUCache<string, true>({ max: MAX_CACHED, ttl: MAX_AGE_MS });
  private changes = 0;

  constructor(
    private readonly identities: VerifiedSenders,
    accountChanges: AccountChanges,
  ) {
    // A change of one account may concern another: senders of others lose a domain that it verifies.
    accountChanges.onChange(() => {
      this.changes += 1;
      this.verified.clear();
    });
  }

  /**
   * Throws `invalid` unless the address is a sender that is verified for the account's current provider, or the account
   * has verified exactly its domain.
   */
  async requireVerified(accountId: string, fromEmail: string): Promise<void> {
    if (await this.identities.isVerified({ ...checkOf(accountId, fromEmail), provider: null })) return;
    throw DomainError.invalid(notVerified(fromEmail), 'sender_not_verified');
  }

  /**
   * Like `requireVerified`, for a message that is being accepted, which `findFault` checks again before its submission:
   * a result may be up to a second old, unless a change was announced meanwhile.
   */
  async requireRecentlyVerified(accountId: string, fromEmail: string): Promise<void> {
    const key = `${accountId} ${normaliseEmail(fromEmail)}`;
    if (this.verified.has(key)) return;
    const { changes } = this;
    await this.requireVerified(accountId, fromEmail);
    if (changes === this.changes) this.verified.set(key, true);
  }

  /**
   * Says why the account must not send from this address through this provider; null if it may. Call it with the
   * provider that the message is then submitted to: the settings may have changed since the message was accepted.
   */
  async findFault(accountId: string, fromEmail: string, provider: EmailConnection): Promise<string | null> {
    const check = { ...checkOf(accountId, fromEmail), provider: verificationProviderOf(provider) };
    const key = `${accountId} ${check.provider} ${check.normalisedEmail}`;
    const isVerified = await this.submissions.get(key, () => this.identities.isVerified(check));
    return isVerified ? null : notVerified(fromEmail);
  }
}

const checkOf = (accountId: string, fromEmail: string) => ({
  accountId,
  normalisedEmail: normaliseEmail(fromEmail),
  domainName: emailDomain(fromEmail),
});

const notVerified = (fromEmail: string): string => `${fromEmail.trim()} is not verified for sending`;
