import { Injectable } from '@nestjs/common';

import { idTime } from '../../../shared/ids.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { type AudienceContact, ContactAudience } from '../../contacts/index.js';
import { type CampaignIntakeOutcome, CampaignMessages, type CampaignRecipient } from '../../sending/index.js';
import type { SkipReason } from '../domain/campaign-recipient.js';
import type { CampaignRun, WaitingRecipient } from '../domain/campaign-run.js';
import { placeholdersOf } from '../domain/placeholders.js';

type Offer = 'accepted' | 'over_cap' | SkipReason;

export interface OfferedPortion {
  /** The last of the recipients that are done; unchanged if none is. */
  fedUpTo: string;
  accepted: number;
  skipped: { messageId: string; reason: SkipReason }[];
  isOverCap: boolean;
}

/** Offers recipients to message acceptance. */
@Injectable()
export class OfferRecipients {
  constructor(
    private readonly contacts: ContactAudience,
    private readonly messages: CampaignMessages,
    private readonly faults: DatabaseFaults,
  ) {}

  /**
   * Recipients whose contact is gone or not active are skipped, and those whose message the database refuses, but not
   * those whose message was stored by a worker that could not record it any more. The portion ends before the first one
   * for whom there is no room under a cap.
   */
  async offer(run: CampaignRun, waiting: readonly WaitingRecipient[]): Promise<OfferedPortion> {
    const offers = await this.offerAll(run, waiting);
    const portion: OfferedPortion = { fedUpTo: run.fedUpTo, accepted: 0, skipped: [], isOverCap: false };
    for (const { messageId } of waiting) {
      const offer = offers.get(messageId) ?? 'deleted';
      if (offer === 'over_cap') return { ...portion, isOverCap: true };
      portion.fedUpTo = messageId;
      if (offer === 'accepted') portion.accepted += 1;
      else portion.skipped.push({ messageId, reason: offer });
    }
    return portion;
  }

  private async offerAll(run: CampaignRun, waiting: readonly WaitingRecipient[]): Promise<Map<string, Offer>> {
    const contactIds = waiting.map(({ contactId }) => contactId);
    const contacts = await this.contacts.findContacts(run.accountId, contactIds);
    const offers = new Map<string, Offer>();
    const recipients: CampaignRecipient[] = [];
    for (const { messageId, contactId, email } of waiting) {
      const contact = contacts.get(contactId);
      const refused = reasonToSkip(contact);
      if (contact && refused === null) recipients.push(toRecipient(messageId, email, contact));
      else offers.set(messageId, refused ?? 'deleted');
    }
    for (const id of await this.findStored(run, [...offers.keys()])) offers.set(id, 'accepted');
    const outcomes = await this.accept(run, recipients);
    recipients.forEach(({ messageId }, i) => offers.set(messageId, outcomes[i] ?? 'failed'));
    return offers;
  }

  private async findStored({ accountId }: CampaignRun, messageIds: string[]): Promise<Iterable<string>> {
    return messageIds.length === 0 ? [] : this.messages.findStored(accountId, messageIds);
  }

  /** Finds the recipients whose rows the database refuses by halving the portion. */
  private async accept(run: CampaignRun, recipients: readonly CampaignRecipient[]): Promise<Offer[]> {
    if (recipients.length === 0) return [];
    try {
      return (await this.messages.accept(run, recipients)).map(toOffer);
    } catch (error) {
      if (!this.faults.isRowFault(error)) throw error;
      if (recipients.length === 1) return ['failed'];
      const middle = recipients.length >> 1;
      const first = await this.accept(run, recipients.slice(0, middle));
      return [...first, ...(await this.accept(run, recipients.slice(middle)))];
    }
  }
}

/** A duplicate was stored by such a worker. */
const toOffer = (outcome: CampaignIntakeOutcome): Offer => (outcome === 'duplicate' ? 'accepted' : outcome);

function reasonToSkip(contact: AudienceContact | undefined): SkipReason | null {
  if (!contact) return 'deleted';
  return contact.status === 'active' ? null : 'suppressed';
}

const toRecipient = (messageId: string, email: string, contact: AudienceContact): CampaignRecipient => ({
  messageId,
  createdAt: idTime(messageId),
  contactId: contact.id,
  email,
  placeholders: placeholdersOf(contact),
});
