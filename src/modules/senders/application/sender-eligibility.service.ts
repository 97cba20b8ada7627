import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain } from '../../../shared/email-address.js';
import { DomainOwnership } from '../../domains/index.js';
import { SuppressionList } from '../../suppression/index.js';

/** Decides whether an account may send a verification mail to an address. */
@Injectable()
export class SenderEligibility {
  constructor(
    private readonly ownership: DomainOwnership,
    private readonly suppressions: SuppressionList,
  ) {}

  /** Throws `conflict` if another account owns the domain, and `invalid` if the account suppresses the address. */
  async require(accountId: string, email: string): Promise<void> {
    await this.ownership.requireNotTaken(accountId, emailDomain(email));
    if (await this.suppressions.isSuppressed(accountId, 'email', email)) {
      throw DomainError.invalid(`${email.trim()} is suppressed`, 'suppressed');
    }
  }
}
