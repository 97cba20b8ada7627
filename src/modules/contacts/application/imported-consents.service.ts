import { Injectable } from '@nestjs/common';

import type { Actor } from '../../../shared/actor.js';
import { type NewConsent, RecordConsents } from '../../consent/index.js';
import type { ContactRow } from '../domain/contact.js';
import type { WrittenContact } from './apply-statuses.service.js';

/** Records the consents that come with imported contacts. */
@Injectable()
export class ImportedConsents {
  constructor(private readonly consents: RecordConsents) {}

  /**
   * Records, in the current transaction, one grant for each row with a time of consent that was not refused. What an
   * earlier import has recorded in the same words is not recorded again. Rows and `written` are by normalised address.
   */
  async record(
    accountId: string,
    rows: ReadonlyMap<string, ContactRow>,
    written: ReadonlyMap<string, WrittenContact>,
    actor: Actor,
  ): Promise<void> {
    const records = [...rows].flatMap(([key, { email, consent }]): NewConsent[] => {
      const result = written.get(key);
      if (!consent || !result || result.outcome === 'refused') return [];
      const { wording } = consent;
      const contact = result.contact === null ? {} : { contactId: result.contact.id };
      return [
        {
          ...{ accountId, channel: 'email', address: email, ...contact },
          ...{ action: 'granted', source: 'import', actor, condition: 'unless_recorded' },
          ...consent,
          wording: wording === null ? null : { version: null, text: wording },
        },
      ];
    });
    await this.consents.record(records);
  }
}
