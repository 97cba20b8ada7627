import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { ERASED_RECIPIENT, ReadMessages } from '../../messages/index.js';
import { type AccountEvent, StoreReply } from '../../provider-events/index.js';
import { Unsubscribe } from '../../suppression/index.js';
import { firstLink } from '../domain/first-link.js';
import { type SimulatedReport, simulatorMessageId } from '../../../providers/index.js';

const UNKNOWN_CLIENT = { ip: null, userAgent: null } as const;

/** Acts as the recipient of a simulated message. */
@Injectable()
export class SimulatedRecipient {
  constructor(
    private readonly messages: ReadMessages,
    private readonly unsubscribe: Unsubscribe,
    private readonly storeReply: StoreReply,
  ) {}

  /** Adds the target of the first link to a click. */
  async detail<Event extends Pick<AccountEvent, 'data'>>(
    { accountId, messageId, report }: SimulatedReport,
    event: Event,
  ): Promise<Event> {
    if (report !== 'clicked') return event;
    const content = await this.messages.content(accountId, messageId).catch(nullIfMissing);
    return { ...event, data: { url: firstLink(content?.html ?? null), ...event.data } };
  }

  /** Unsubscribes with one click, or answers STOP; idempotent. Does nothing if message or recipient were removed. */
  async act({ accountId, messageId, report, dueAt }: SimulatedReport): Promise<void> {
    const message = await this.messages.get(accountId, messageId).catch(nullIfMissing);
    if (message === null || message.normalisedRecipient === ERASED_RECIPIENT) return;
    const { normalisedRecipient: recipient, sender, topicId } = message;
    if (report === 'unsubscribed') {
      await this.unsubscribe.oneClick({ accountId, messageId, email: recipient, topicId }, UNKNOWN_CLIENT);
    } else {
      const previousProviderMessageId = simulatorMessageId(messageId);
      const providerMessageId = `reply-${previousProviderMessageId}`;
      const reply = { from: recipient, to: sender, body: 'STOP', request: 'stop' as const };
      const times = { receivedAt: dueAt, sentAt: dueAt };
      await this.storeReply.store(accountId, { ...reply, providerMessageId, previousProviderMessageId }, times, {
        wantsEvents: true,
        isOwnNumber: true,
        stopWords: [],
      });
    }
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof DomainError && error.kind === 'not_found') return null;
  throw error;
}
