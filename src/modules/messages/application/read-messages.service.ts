import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import type { EmailEvent } from '../domain/email-event.js';
import { readCursor, writeCursor } from '../domain/message-cursor.js';
import type { AggregateFilter, MessageFilter } from '../domain/message-filter.js';
import type { MessageLog } from '../domain/message-log.js';
import { type MessageTotals, toTotals } from '../domain/message-totals.js';
import { MessageReader } from './ports/message-reader.js';

export interface MessagePage {
  items: MessageLog[];
  /** Null at the end. */
  nextCursor: string | null;
}

/** What a key sent itself, or what a whole account sent. */
@Injectable()
export class ReadMessages {
  constructor(private readonly messages: MessageReader) {}

  /** `apiKeyId` null stands for a dashboard user, who sees the whole account. */
  async withTimeline(
    accountId: string,
    id: string,
    apiKeyId: string | null,
  ): Promise<{ message: MessageLog; events: EmailEvent[] }> {
    // In this order, so that the message counts what its timeline shows.
    const events = isId(id) ? await this.messages.timeline(accountId, id) : [];
    const message = isId(id) ? await this.messages.find(accountId, id, apiKeyId) : null;
    if (!message) throw DomainError.notFound('Message');
    return { message, events: events.filter((event) => !isEcho(event, message)) };
  }

  /** Newest first. `cursor` is the `nextCursor` of the page before. */
  async page(
    accountId: string,
    filter: MessageFilter,
    { cursor, limit }: { cursor?: string | undefined; limit: number },
  ): Promise<MessagePage> {
    const beforeId = cursor === undefined ? null : readCursor(accountId, filter, cursor);
    const { items, resumeBefore } = await this.messages.list(accountId, filter, beforeId, limit);
    return { items, nextCursor: resumeBefore && writeCursor(accountId, filter, resumeBefore) };
  }

  async totals(accountId: string, filter: AggregateFilter): Promise<MessageTotals> {
    return toTotals(await this.messages.count(accountId, filter));
  }
}

/** Once the service has recorded its own hand-over, a provider's word that it took the message says nothing new. */
const isEcho = ({ type, occurredAt }: EmailEvent, { sentAt }: MessageLog): boolean =>
  type === 'sent' && sentAt !== null && occurredAt.getTime() !== sentAt.getTime();
