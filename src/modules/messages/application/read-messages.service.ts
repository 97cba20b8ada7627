import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import type { EmailEvent } from '../domain/email-event.js';
import { readCursor, writeCursor } from '../domain/message-cursor.js';
import type { AggregateFilter, MessageFilter } from '../domain/message-filter.js';
import type { MessageContent } from '../domain/message-content.js';
import type { MessageLog } from '../domain/message-log.js';
import { type MessageTotals, toTotals } from '../domain/message-totals.js';
import { MessageReader } from './ports/message-reader.js';
import { type RecipientContact, RecipientContacts } from './ports/recipient-contacts.js';

export interface MessagePage {
  items: MessageLog[];
  /** Null at the end. */
  nextCursor: string | null;
}

/** `contact` is that of the recipient, for those who see the whole account. */
export interface MessageDetail {
  message: MessageLog;
  events: EmailEvent[];
  contact: RecipientContact | null;
}

/** What a key sent itself, or what a whole account sent. */
@Injectable()
export class ReadMessages {
  constructor(
    private readonly messages: MessageReader,
    private readonly contacts: RecipientContacts,
  ) {}

  /** `apiKeyId` null stands for a dashboard user, who sees the whole account. */
  async withTimeline(accountId: string, id: string, apiKeyId: string | null): Promise<MessageDetail> {
    const found = isId(id) ? await this.messages.findWithTimeline(accountId, id, apiKeyId) : null;
    if (!found) throw notFound();
    const { message, events } = found;
    const { contactId } = message;
    const contact = contactId !== null && apiKeyId === null ? await this.contacts.find(accountId, contactId) : null;
    return { message, events: events.filter((event) => !isEcho(event, message)), contact };
  }

  /** What a message of the account said; null where that is no longer kept. */
  async content(accountId: string, id: string): Promise<MessageContent | null> {
    if (!isId(id) || !(await this.messages.find(accountId, id, null))) throw notFound();
    return this.messages.content(accountId, id);
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

const notFound = () => DomainError.notFound('Message');

/** Once the service has recorded its own hand-over, a provider's word that it took the message says nothing new. */
const isEcho = ({ type, occurredAt }: EmailEvent, { sentAt }: MessageLog): boolean =>
  type === 'sent' && sentAt !== null && occurredAt.getTime() !== sentAt.getTime();
