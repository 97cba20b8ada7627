import { Injectable } from '@nestjs/common';

import { idTime } from '../../../shared/ids.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type AudienceContact, ContactAudience } from '../../contacts/index.js';
import type { CampaignIntakeOutcome, NewCampaignMessage } from '../../messages/index.js';
import { CampaignMessages, type CampaignRecipient } from '../../sending/index.js';
import { placeholdersOf, reasonToSkip, type SkipReason } from '../domain/campaign-recipient.js';
import type { CampaignRun, FedPortion, WaitingRecipient } from '../domain/campaign-run.js';
import { FindUnwilling } from './find-unwilling.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';

type Offer = 'accepted' | 'over_cap' | SkipReason;

export type OfferedPortion = Pick<FedPortion, 'fedUpTo' | 'accepted' | 'skipped'> & { isOverCap: boolean };

/** The prepared recipients of a portion, by message id. */
interface Prepared {
  messages: ReadonlyMap<string, NewCampaignMessage>;
  refused: ReadonlyMap<string, SkipReason>;
}

/** Offers recipients to message acceptance, and records the outcome of each. */
@Injectable()
export class OfferRecipients {
  constructor(
    private readonly contacts: ContactAudience,
    private readonly findUnwilling: FindUnwilling,
    private readonly messages: CampaignMessages,
    private readonly feed: CampaignFeed,
    private readonly transactions: TransactionRunner,
    private readonly faults: DatabaseFaults,
  ) {}

  /**
   * Skips recipients whose contact is gone, not active, out of the topic or without a required consent, and those whose
   * message the database refuses. The portion ends before the first one for whom there is no room under a cap.
   * `pacedUntil` gets the number of accepted recipients. Throws ClaimLost and then stores nothing, so that a worker
   * that was halted adds no message to a campaign that was stopped meanwhile. Also throws the database's error if the
   * same rows may be accepted later.
   */
  async offer(
    run: CampaignRun,
    waiting: readonly WaitingRecipient[],
    pacedUntil: (accepted: number) => Date | null,
  ): Promise<OfferedPortion> {
    return this.store(run, waiting, await this.prepare(run, waiting), pacedUntil);
  }

  private async store(
    run: CampaignRun,
    waiting: readonly WaitingRecipient[],
    prepared: Prepared,
    pacedUntil: (accepted: number) => Date | null,
  ): Promise<OfferedPortion> {
    try {
      return await this.transactions.runInLane(run.accountId, async () => {
        await this.feed.lockClaim(run);
        return this.record(run, await this.accept(run, waiting, prepared), pacedUntil);
      });
    } catch (error) {
      if (!this.faults.isRowFault(error) || this.faults.isUnavailable(error)) throw error;
    }
    // One of the rows is at fault: it is found by halving the portion.
    const [first] = waiting;
    if (first && waiting.length === 1) return this.record(run, failed(first), pacedUntil);
    return this.store(run, waiting.slice(0, waiting.length >> 1), prepared, pacedUntil);
  }

  private async record(
    run: CampaignRun,
    offered: OfferedPortion,
    pacedUntil: (accepted: number) => Date | null,
  ): Promise<OfferedPortion> {
    const { isOverCap, ...fed } = offered;
    const waitingFor = isOverCap ? 'daily_cap' : null;
    await this.feed.advance(run, { ...fed, waitingFor, pacedUntil: pacedUntil(fed.accepted) });
    return offered;
  }

  private async accept(
    run: CampaignRun,
    waiting: readonly WaitingRecipient[],
    { messages, refused }: Prepared,
  ): Promise<OfferedPortion> {
    const offered = waiting.flatMap(({ messageId }) => messages.get(messageId) ?? []);
    const outcomes = offered.length === 0 ? [] : await this.messages.accept(run, offered);
    const accepted = new Map(offered.map(({ id }, i) => [id, toOffer(outcomes[i] ?? 'over_cap')]));
    const portion: OfferedPortion = { fedUpTo: run.fedUpTo, accepted: 0, skipped: [], isOverCap: false };
    for (const { messageId } of waiting) {
      const offer = accepted.get(messageId) ?? refused.get(messageId) ?? 'deleted';
      if (offer === 'over_cap') return { ...portion, isOverCap: true };
      portion.fedUpTo = messageId;
      if (offer === 'accepted') portion.accepted += 1;
      else portion.skipped.push({ messageId, reason: offer });
    }
    return portion;
  }

  private async prepare(run: CampaignRun, waiting: readonly WaitingRecipient[]): Promise<Prepared> {
    const contactIds = waiting.map(({ contactId }) => contactId);
    const contacts = await this.contacts.findContacts(run.accountId, contactIds, { withAttributes: true });
    const unwilling = await this.findUnwilling.find(run, contacts.values());
    const refused = new Map<string, SkipReason>();
    const recipients: CampaignRecipient[] = [];
    for (const { messageId, contactId, email } of waiting) {
      const contact = contacts.get(contactId);
      const reason = contact ? reasonToSkip(contact, unwilling) : 'deleted';
      if (contact && reason === null) recipients.push(toRecipient(messageId, email, contact));
      else refused.set(messageId, reason ?? 'deleted');
    }
    const messages = recipients.length === 0 ? [] : await this.messages.prepare(run, recipients);
    return { messages: new Map(messages.map((message) => [message.id, message])), refused };
  }
}

/** A duplicate was stored by a worker that could not record it any more. */
const toOffer = (outcome: CampaignIntakeOutcome): Offer => (outcome === 'duplicate' ? 'accepted' : outcome);

const failed = ({ messageId }: WaitingRecipient): OfferedPortion => ({
  fedUpTo: messageId,
  accepted: 0,
  skipped: [{ messageId, reason: 'failed' }],
  isOverCap: false,
});

const toRecipient = (messageId: string, email: string, contact: AudienceContact): CampaignRecipient => ({
  messageId,
  createdAt: idTime(messageId),
  contactId: contact.id,
  email,
  placeholders: placeholdersOf(contact),
});
