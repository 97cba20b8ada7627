import { Injectable } from '@nestjs/common';

import { PERSON } from '../../../shared/actor.js';
import { restoredByStart } from '../domain/consent.js';
import { ConsentRepository } from './ports/consent.repository.js';
import { RecordConsents } from './record-consents.service.js';

@Injectable()
export class RestoreConsents {
  constructor(
    private readonly consents: ConsentRepository,
    private readonly recordConsents: RecordConsents,
  ) {}

  /**
   * Records in the current transaction that the owner of a number (E.164) has revoked an opt-out by SMS, and grants
   * again what was granted before it. Returns false if there is no opt-out, or none recorded before `sentAt`, or if
   * consent was withdrawn in another way since. `sentAt`: null if that is known to be after the opt-out.
   * `messageLogId`: the message that the owner answered.
   */
  async restore(
    accountId: string,
    number: string,
    { sentAt, messageLogId }: { sentAt: Date | null; messageLogId: string | null },
  ): Promise<boolean> {
    const restored = restoredByStart(await this.consents.lockLatestOfNumber(accountId, number), sentAt);
    if (restored === null) return false;
    const origin = { accountId, channel: 'sms', address: number, source: 'sms', actor: PERSON, messageLogId } as const;
    await this.recordConsents.record(restored.map((consent) => ({ ...origin, ...consent })));
    return true;
  }

  /** See `ConsentRepository.restoreErased`. */
  restoreErased(accountId: string, emails: readonly string[]): Promise<void> {
    return this.consents.restoreErased(accountId, emails);
  }
}
