import { Injectable } from '@nestjs/common';

import { ConsentRepository } from './ports/consent.repository.js';

/** Whether campaigns may be sent to addresses. The check before a submission asks the same with `lacksConsent`. */
@Injectable()
export class RequiredConsent {
  constructor(private readonly consents: ConsentRepository) {}

  /** Whether the account sends campaigns only to recipients who have consented to marketing. */
  isRequired(accountId: string): Promise<boolean> {
    return this.consents.isRequired(accountId);
  }

  /**
   * Returns those of the contacts' normalised addresses without a standing consent to marketing about the topic, if the
   * account requires one; else none. Reads within the current transaction.
   */
  findLacking(accountId: string, emails: readonly string[], topicId: string | null): Promise<Set<string>> {
    return this.consents.findLacking(accountId, emails, topicId);
  }
}
