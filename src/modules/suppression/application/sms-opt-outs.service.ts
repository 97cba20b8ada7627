import { Injectable } from '@nestjs/common';

import { normalisePhone } from '../../../shared/phone-number.js';
import { RestoreConsents } from '../../consent/index.js';
import type { AddressToSuppress } from '../domain/suppression.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

/** Applies requests that people send as replies. Each call joins the running transaction. */
@Injectable()
export class SmsOptOuts {
  constructor(
    private readonly suppressAddresses: SuppressAddresses,
    private readonly suppressions: SuppressionRepository,
    private readonly contacts: SuppressedContacts,
    private readonly consents: RestoreConsents,
  ) {}

  /** Until the end of the transaction nothing else opts out or in, or suppresses or lifts, in the account. */
  lock(accountId: string): Promise<void> {
    return this.contacts.lock([accountId], []);
  }

  /** Suppresses a number whose owner has sent a stop word. */
  async optOut(
    accountId: string,
    address: string,
    origin: Pick<AddressToSuppress, 'messageLogId' | 'contactId' | 'campaignId'>,
  ): Promise<void> {
    const cause = { accountId, channel: 'sms', address, reason: 'sms_opt_out', source: 'provider' } as const;
    await this.suppressAddresses.suppress([{ ...cause, ...origin }]);
  }

  /**
   * Revokes the recorded opt-out of a person who has sent START after it: restores the consents that it has withdrawn,
   * and lifts its suppression, unless an operator has blocked the number or it bounces. Does nothing if no opt-out is
   * recorded. The account must be locked. `sentAt` is compared with the recorded time of the opt-out; null if START is
   * known to follow it. `messageLogId`: the answered message.
   */
  async optIn(
    accountId: string,
    from: string,
    start: { sentAt: Date | null; messageLogId: string | null },
  ): Promise<void> {
    const number = normalisePhone(from);
    if (number === null) return;
    if (await this.consents.restore(accountId, number, start)) await this.suppressions.removeOptOut(accountId, number);
  }
}
