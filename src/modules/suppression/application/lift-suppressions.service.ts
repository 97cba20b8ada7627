import { Injectable } from '@nestjs/common';

import { SuppressionRepository } from './ports/suppression.repository.js';

@Injectable()
export class LiftSuppressions {
  constructor(private readonly suppressions: SuppressionRepository) {}

  /**
   * The provider lists these numbers, in E.164, as opted out no more: lifts the suppressions that have no other cause, in the
   * running transaction. How many.
   */
  liftSynced(accountId: string, numbers: readonly string[]): Promise<number> {
    return this.suppressions.removeSynced(accountId, numbers);
  }
}
