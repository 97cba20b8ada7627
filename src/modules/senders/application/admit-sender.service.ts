import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain } from '../../../shared/email-address.js';
import { DomainOwnership } from '../../domains/index.js';
import { SuppressionList } from '../../suppression/index.js';

/** Checks whether an account may send a verification mail to an address. */
@Injectable()
export class AdmitSender {
  constructor(
    private readonly ownership: DomainOwnership,
    private readonly suppressions: SuppressionList,
  ) {}

  /**
   * Throws `conflict` where another account has the domain verified, which decides who sends from it, and `invalid`
   * where the account must not send to the address: it gets no verification mail either.
   */
  async require(accountId: string, email: string): Promise<void> {
    await this.ownership.requireNotTaken(accountId, emailDomain(email));
    if (await this.suppressions.isSuppressed(accountId, 'email', email)) {
      throw DomainError.invalid(`${email.trim()} is suppressed`, 'suppressed');
    }
  }
}
