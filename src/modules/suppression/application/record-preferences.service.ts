import { Injectable } from '@nestjs/common';

import { PERSON } from '../../../shared/actor.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { type NewConsent, RecordConsents } from '../../consent/index.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';

/** The client with which a person acts. */
export interface Client {
  ip: string | null;
  userAgent: string | null;
}

/** The changes that a recipient has made through the link in a mail. */
export interface PreferenceChange {
  target: UnsubscribeTarget;
  /** The campaign of the mail. */
  campaignId: string | null;
  changes: readonly Pick<NewConsent, 'action' | 'condition' | 'topicId' | 'purpose' | 'wording'>[];
  source: 'preferences' | 'one_click';
  client: Client;
  /** Recorded without an event, because nothing changes for the recipient. */
  isRepeated?: boolean;
}

/** Records what recipients choose, with one event for each request that changes anything. */
@Injectable()
export class RecordPreferences {
  constructor(
    private readonly contacts: SuppressedContacts,
    private readonly consents: RecordConsents,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Joins the current transaction, which has locked the contacts of the addresses. */
  async record(requests: readonly PreferenceChange[]): Promise<void> {
    const found = await this.contacts.findAcrossAccounts(requests.map(({ target }) => target));
    const consents = requests.map((request, i) => toConsents(request, found[i]?.contactId ?? null));
    const ids = (await this.consents.record(consents.flat())).values();
    const occurredAt = this.clock.now();
    const events = requests.flatMap(({ target: { accountId, email }, source, isRepeated = false }, i) => {
      const recorded = (consents[i] ?? []).filter(() => (ids.next().value ?? null) !== null);
      if (recorded.length === 0 || isRepeated) return [];
      const topics = recorded.flatMap(({ topicId, action }) =>
        topicId == null ? [] : { topicId, subscribed: action === 'granted' },
      );
      const data = { email, contactId: found[i]?.contactId ?? null, topics, source };
      return { type: 'contact.preferences_changed' as const, accountId, occurredAt, data };
    });
    if (events.length > 0) await this.outbox.add(events);
  }
}

function toConsents(
  { target, campaignId, changes, source, client }: PreferenceChange,
  contactId: string | null,
): NewConsent[] {
  const { accountId, email: address, messageId: messageLogId } = target;
  const about = { accountId, channel: 'email', address, contactId, messageLogId, campaignId } as const;
  return changes.map((change) => ({ ...about, ...client, ...change, source, actor: PERSON }));
}
