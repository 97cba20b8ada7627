import { Injectable } from '@nestjs/common';

import { SuppressedContacts } from './ports/suppressed-contacts.js';
import { SuppressionRepository } from './ports/suppression.repository.js';

@Injectable()
export class LiftSuppressions {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly contacts: SuppressedContacts,
  ) {}

  /**
   * Lifts, in the current transaction, the suppressions of numbers (E.164) that the provider no longer lists as opted
   * out, unless they have another cause. Returns how many.
   */
  async liftSynced(accountId: string, numbers: readonly string[]): Promise<number> {
    await this.contacts.lock([accountId], []);
    return this.suppressions.removeSynced(accountId, numbers);
  }
}
