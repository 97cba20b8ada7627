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

  /** See `ConsentRepository.findLacking`. */
  findLacking(accountId: string, emails: readonly string[], topicId: string | null): Promise<Set<string>> {
    return this.consents.findLacking(accountId, emails, topicId);
  }
}
