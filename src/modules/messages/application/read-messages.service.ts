import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { readCursor, writeCursor } from '../domain/message-cursor.js';
import type { AggregateFilter, MessageFilter } from '../domain/message-filter.js';
import type { EmailEvent, MessageContent, MessageLog } from '../domain/message-log.js';
import { type MessageTotals, toTotals } from '../domain/message-totals.js';
import { MessageReader } from './ports/message-reader.js';
import { type RecipientContact, RecipientContacts } from './ports/recipient-contacts.js';

export interface MessagePage {
  items: MessageLog[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface MessageDetail {
  message: MessageLog;
  events: EmailEvent[];
  /** The recipient; always null for API keys. */
  contact: RecipientContact | null;
}

/** Reads the messages of one key or of a whole account. */
@Injectable()
export class ReadMessages {
  constructor(
    private readonly messages: MessageReader,
    private readonly contacts: RecipientContacts,
  ) {}

  /** `apiKeyId` is null for a dashboard user, who sees the whole account. */
  async withTimeline(accountId: string, id: string, apiKeyId: string | null): Promise<MessageDetail> {
    const found = isId(id) ? await this.messages.findWithTimeline(accountId, id, apiKeyId) : null;
    if (!found) throw notFound();
    const { message, events } = found;
    const { contactId } = message;
    const contact = contactId !== null && apiKeyId === null ? await this.contacts.find(accountId, contactId) : null;
    return { message, events: events.filter((event) => !isEcho(event, message)), contact };
  }

  /** The content of a message of the account; null if it was purged. */
  async content(accountId: string, id: string): Promise<MessageContent | null> {
    if (!isId(id) || !(await this.messages.find(accountId, id, null))) throw notFound();
    return this.messages.content(accountId, id);
  }

  /** Newest first. `cursor` is the `nextCursor` of the previous page. */
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

/** A `sent` event of the provider repeats what the service recorded when it submitted the message. */
const isEcho = ({ type, occurredAt }: EmailEvent, { sentAt }: MessageLog): boolean =>
  type === 'sent' && sentAt !== null && occurredAt.getTime() !== sentAt.getTime();
