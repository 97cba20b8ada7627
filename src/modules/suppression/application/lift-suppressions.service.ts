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
   * The provider lists these numbers, in E.164, as opted out no more: lifts the suppressions that have no other cause, in the
   * running transaction. How many.
   */
  async liftSynced(accountId: string, numbers: readonly string[]): Promise<number> {
    await this.contacts.hold([accountId], []);
    return this.suppressions.removeSynced(accountId, numbers);
  }
}
