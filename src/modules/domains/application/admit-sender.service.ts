import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain } from '../../../shared/email-address.js';
import { SuppressionList } from '../../suppression/index.js';
import { DomainRepository } from './ports/domain.repository.js';

/** Checks whether an account may send a verification mail to an address. */
@Injectable()
export class AdmitSender {
  constructor(
    private readonly domains: DomainRepository,
    private readonly suppressions: SuppressionList,
  ) {}

  /**
   * Throws `conflict` where another account has the domain verified, which decides who sends from it, and `invalid`
   * where the account must not send to the address: it gets no verification mail either.
   */
  async require(accountId: string, email: string): Promise<void> {
    const domain = await this.domains.findVerifiedByNameAcrossAccounts(emailDomain(email));
    if (domain && domain.accountId !== accountId) {
      throw DomainError.conflict(`${domain.name} belongs to another account of this installation`);
    }
    if (await this.suppressions.isSuppressed(accountId, 'email', email)) {
      throw DomainError.invalid(`${email.trim()} is suppressed`, 'suppressed');
    }
  }
}
