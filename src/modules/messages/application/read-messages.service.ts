import { Injectable } from '@nestjs/common';

import { groupBy } from '../../../shared/collections.js';
import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { readCursor, writeCursor } from '../domain/message-cursor.js';
import type { AggregateFilter, MessageFilter } from '../domain/message-filter.js';
import type { CampaignReference } from '../domain/campaign-content.js';
import type { EmailEvent, MessageContent, MessageLog } from '../domain/message-log.js';
import { type MessageTotals, toTotals } from '../domain/message-totals.js';
import { CampaignContents, CampaignRenderer } from './ports/campaign-contents.js';
import { MessageReader, type MessageSlice, type MessageTimeline } from './ports/message-reader.js';
import { type RecipientContact, RecipientContacts } from './ports/recipient-contacts.js';
import { ReportedResults } from './reported-results.service.js';

const EXPORT_BATCH = 500;

export interface MessagePage {
  items: MessageLog[];
  /** The campaigns of the items, by id; always empty for API keys. */
  campaigns: ReadonlyMap<string, CampaignReference>;
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface MessageDetail extends MessageTimeline {
  /** The recipient; always null for API keys. */
  contact: RecipientContact | null;
  /** Always null for API keys. */
  campaign: CampaignReference | null;
}

/** Reads the messages of one key or of a whole account. */
@Injectable()
export class ReadMessages {
  constructor(
    private readonly messages: MessageReader,
    private readonly contacts: RecipientContacts,
    private readonly campaigns: CampaignContents,
    private readonly renderer: CampaignRenderer,
    private readonly reported: ReportedResults,
  ) {}

  /** `apiKeyId` is null for a dashboard user, who sees the whole account. */
  async withTimeline(accountId: string, id: string, apiKeyId: string | null): Promise<MessageDetail> {
    const found = isId(id) ? await this.messages.findWithTimeline(accountId, id, apiKeyId) : null;
    if (!found) throw notFound();
    const { message, events } = found;
    const { contactId } = message;
    const contact = contactId !== null && apiKeyId === null ? await this.contacts.find(accountId, contactId) : null;
    const campaign = [...(await this.campaignsOf(accountId, [message], apiKeyId)).values()][0] ?? null;
    return { ...found, events: events.filter((event) => !isEcho(event, message)), contact, campaign };
  }

  /** A message of the account. */
  async get(accountId: string, id: string): Promise<MessageLog> {
    const message = isId(id) ? await this.messages.find(accountId, id, null) : null;
    if (!message) throw notFound();
    return message;
  }

  /** The message that repeats the content of this one, if there is one. */
  findResent(accountId: string, id: string): Promise<string | null> {
    return this.messages.findResent(accountId, id);
  }

  /** Whether the message, or the one that it repeats, however often it was resent, is of a campaign. */
  isOfCampaign(accountId: string, id: string): Promise<boolean> {
    return this.messages.isOfCampaign(accountId, id);
  }

  /** The content of a message of the account; null if it was purged. */
  async content(accountId: string, id: string): Promise<MessageContent | null> {
    const message = await this.get(accountId, id);
    const stored = await this.messages.content(accountId, id);
    if (!stored?.placeholders || message.campaignId === null) return stored;
    return this.renderer.render(accountId, message.campaignId, stored);
  }

  /** Newest first. `cursor` is the `nextCursor` of the previous page. */
  async page(
    accountId: string,
    filter: MessageFilter,
    { cursor, limit }: { cursor?: string | undefined; limit: number },
  ): Promise<MessagePage> {
    const beforeId = cursor === undefined ? null : readCursor(accountId, filter, cursor);
    const { items, resumeBefore } = await this.messages.list(accountId, filter, beforeId, limit);
    const campaigns = await this.campaignsOf(accountId, items, filter.apiKeyId);
    return { items, campaigns, nextCursor: resumeBefore && writeCursor(accountId, filter, resumeBefore) };
  }

  /** All messages, newest first, in batches; some may be empty. A batch is read when the previous one is consumed. */
  async *export(accountId: string, filter: MessageFilter): AsyncGenerator<MessageLog[], void> {
    let beforeId: string | null = null;
    do {
      const { items, resumeBefore }: MessageSlice = await this.messages.list(accountId, filter, beforeId, EXPORT_BATCH);
      yield items;
      beforeId = resumeBefore;
    } while (beforeId !== null);
  }

  async totals(accountId: string, filter: AggregateFilter): Promise<MessageTotals> {
    const reported = await this.reported.find(accountId, filter.channel);
    return toTotals(await this.messages.count(accountId, filter), reported);
  }

  /** Returns the totals of each of the campaigns, by campaign id. */
  async totalsByCampaign(accountId: string, campaignIds: readonly string[]): Promise<Map<string, MessageTotals>> {
    const counted = campaignIds.length === 0 ? [] : await this.messages.countByCampaign(accountId, campaignIds);
    const counts = groupBy(counted, ({ campaignId }) => campaignId);
    const reported = await this.reported.find(accountId, 'email');
    return new Map(campaignIds.map((id) => [id, toTotals(counts.get(id) ?? [], reported)]));
  }

  private async campaignsOf(
    accountId: string,
    messages: readonly MessageLog[],
    apiKeyId: string | null,
  ): Promise<Map<string, CampaignReference>> {
    const ids = new Set(messages.flatMap(({ campaignId }) => campaignId ?? []));
    return apiKeyId === null ? this.campaigns.findReferences(accountId, [...ids]) : new Map();
  }
}

const notFound = () => DomainError.notFound('Message');

/** A `sent` event of the provider repeats what the service recorded when it submitted the message. */
const isEcho = ({ type, occurredAt }: EmailEvent, { sentAt }: MessageLog): boolean =>
  type === 'sent' && sentAt !== null && occurredAt.getTime() !== sentAt.getTime();
