import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain, normaliseEmail } from '../../../shared/email-address.js';
import { SenderIdentities } from './ports/sender-identities.js';

/** Whom an account may send as. */
@Injectable()
export class SenderDirectory {
  constructor(private readonly identities: SenderIdentities) {}

  /** Throws `invalid` unless the address is a verified sender of the account or its very domain is a verified one. */
  async requireVerified(accountId: string, fromEmail: string): Promise<void> {
    const { senderStatus, isDomainVerified } = await this.identities.find(
      accountId,
      normaliseEmail(fromEmail),
      emailDomain(fromEmail),
    );
    if (senderStatus === 'verified' || isDomainVerified) return;
    throw DomainError.invalid(`${fromEmail.trim()} is not verified for sending`, 'sender_not_verified');
  }
}
