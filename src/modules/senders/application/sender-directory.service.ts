import { Injectable } from '@nestjs/common';

import { type EmailConnection, verificationProviderOf } from '../../../providers/index.js';
import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain, normaliseEmail } from '../../../shared/email-address.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { TtlCache } from '../../../concurrency/ttl-cache.js';
import { VerifiedSenders } from './ports/verified-senders.js';

/** Bounds how long a revoked verification may go unnoticed. */
const CACHE = { max: 10_000, freshForMs: 1_000 };

/** Decides from which addresses an account may send. */
@Injectable()
export class SenderDirectory {
  private readonly submissions = new TtlCache<boolean>(CACHE);
  /** Addresses that accounts may send from. A refusal is not kept: it is checked again each time. */
  private readonly verified = new TtlCache<void>(CACHE);

  constructor(
    private readonly identities: VerifiedSenders,
    accountChanges: AccountChanges,
  ) {
    // A change of one account may concern another: senders of others lose a domain that it verifies.
    accountChanges.onChange(() => {
      this.verified.forget(() => true);
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
  requireRecentlyVerified(accountId: string, fromEmail: string): Promise<void> {
    const key = `${accountId} ${normaliseEmail(fromEmail)}`;
    return this.verified.get(key, () => this.requireVerified(accountId, fromEmail));
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
