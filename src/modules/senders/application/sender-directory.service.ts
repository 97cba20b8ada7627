import { Injectable } from '@nestjs/common';

import type { AccountProvider } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain, normaliseEmail } from '../../../shared/email-address.js';
import { TtlCache } from '../../../shared/ttl-cache.js';
import { carrierOf } from '../../../shared/verification-provider.js';
import { SenderIdentities } from './ports/sender-identities.js';

/** How long a withdrawn permission may go unnoticed before a submission. */
const CACHED = { max: 10_000, freshForMs: 1_000 };

/** Whom an account may send as. */
@Injectable()
export class SenderDirectory {
  private readonly submissions = new TtlCache<boolean>(CACHED);

  constructor(private readonly identities: SenderIdentities) {}

  /**
   * Throws `invalid` unless the address is a sender that was verified for what the account sends through now, or its
   * very domain is a verified one of the account.
   */
  async requireVerified(accountId: string, fromEmail: string): Promise<void> {
    if (await this.identities.isVerified({ ...question(accountId, fromEmail), carrier: null })) return;
    throw DomainError.invalid(notVerified(fromEmail), 'sender_not_verified');
  }

  /**
   * Why the account must not send as this address through this provider; null: it may. To be asked with the provider
   * that the message is then submitted to: the settings may have changed since the message was accepted.
   */
  async findFault(accountId: string, fromEmail: string, provider: AccountProvider): Promise<string | null> {
    const asked = { ...question(accountId, fromEmail), carrier: carrierOf(provider) };
    const key = `${accountId} ${asked.carrier} ${asked.normalisedEmail}`;
    const isVerified = await this.submissions.get(key, () => this.identities.isVerified(asked));
    return isVerified ? null : notVerified(fromEmail);
  }
}

const question = (accountId: string, fromEmail: string) => ({
  accountId,
  normalisedEmail: normaliseEmail(fromEmail),
  domainName: emailDomain(fromEmail),
});

const notVerified = (fromEmail: string): string => `${fromEmail.trim()} is not verified for sending`;
