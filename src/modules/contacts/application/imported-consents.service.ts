import { Injectable } from '@nestjs/common';

import type { Actor } from '../../../shared/actor.js';
import { type NewConsent, RecordConsents } from '../../consent/index.js';
import type { ContactRow, ImportedConsent } from '../domain/contact.js';
import type { WrittenContact } from './apply-statuses.service.js';

/** Records the consents that come with imported contacts. */
@Injectable()
export class ImportedConsents {
  constructor(private readonly consents: RecordConsents) {}

  /**
   * Records, in the current transaction, one grant for each consent of the rows that were not refused. A consent that
   * is or was recorded with the same wording is not recorded again. Rows and `written` are by normalised address.
   */
  async record(
    accountId: string,
    rows: ReadonlyMap<string, ContactRow>,
    written: ReadonlyMap<string, WrittenContact>,
    actor: Actor,
  ): Promise<void> {
    const records = [...rows].flatMap(([key, { email, consents = [] }]): NewConsent[] => {
      const result = written.get(key);
      if (!result || result.outcome === 'refused') return [];
      const contact = result.contact === null ? {} : { contactId: result.contact.id };
      return distinct(consents).map((consent) => ({
        ...{ accountId, channel: 'email', address: email, ...contact },
        ...{ action: 'granted', source: 'import', actor, condition: 'unless_recorded' },
        ...consent,
        wording: consent.wording === null ? null : { version: null, text: consent.wording },
      }));
    });
    await this.consents.record(records);
  }
}

const distinct = (consents: readonly ImportedConsent[]): ImportedConsent[] => [
  ...new Map(consents.map((consent) => [JSON.stringify(consent), consent])).values(),
];
