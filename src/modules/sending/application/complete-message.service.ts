import { Injectable } from '@nestjs/common';

import type { VisibleRecipients } from '../../../shared/mail-recipients.js';
import { KeyedByteBudget } from '../../../shared/keyed-byte-budget.js';
import {
  type AttachmentEntry,
  type ClaimedMessage,
  type GroupFiles,
  MessageGroups,
  type MessageTexts,
  PendingDeliveryRepository,
  SOURCE_NUMBER,
  visibleRecipients,
} from '../../messages/index.js';
import { encodedLength, encodeLines } from '../domain/base64-lines.js';
import { wholeLines } from '../domain/whole-lines.js';
import { PermanentDeliveryError } from '../domain/delivery-error.js';
import { StoppingError } from '../domain/submission-refused.js';
import type { OutgoingAttachment, OutgoingMessage } from './ports/message-provider.js';
import { isRendered, RenderCampaign } from './render-campaign.service.js';

const LARGE_FROM_BYTES = 1_048_576;
/**
 * Bytes of encoded attachments and large texts that a process holds at a time, and as many again while relays are slow.
 * Mails with small ones never wait for those with large ones.
 */
const MAX_BYTES = { small: 16 * 1_048_576, large: 80 * 1_048_576 };
/** Of one account, so that a slow relay does not hold up the attachments of others. */
const MAX_SHARE = 1 / 3;
const SLOW_AFTER_MS = 10_000;
/** A text is in memory as it was read, as part of the mail, and as the socket takes it. */
const COPIES_OF_TEXT = 3;
const NO_FILES: GroupFiles = { sourceSize: null, attachments: [] };

/**
 * Adds what was left out: large texts, which are read, or rendered for a campaign, and what a message has in common
 * with its group, which is visible recipients, attachments, or the mail as submitted.
 */
@Injectable()
export class CompleteMessage {
  private readonly memory = { small: budgetOf(MAX_BYTES.small), large: budgetOf(MAX_BYTES.large) };

  constructor(
    private readonly groups: MessageGroups,
    private readonly deliveries: PendingDeliveryRepository,
    private readonly campaigns: RenderCampaign,
  ) {}

  /**
   * Calls `send` with the complete message; at once if nothing is left out. Files and large texts are in memory until
   * `send` has resolved; if there are too many, this waits before it reads them. Throws PermanentDeliveryError if they
   * are no longer kept, and StoppingError if `stopping` is aborted while it waits.
   */
  async completed<T>(
    message: ClaimedMessage,
    stopping: AbortSignal,
    send: (message: OutgoingMessage) => Promise<T>,
  ): Promise<T> {
    const { accountId, hasAttachments, unreadBytes } = message;
    const groupId = message.groupId ?? null;
    const isComplete = !hasAttachments && unreadBytes === 0;
    if (groupId === null && isComplete) return send(message);
    const visible = message.visible ?? (await this.visibleInGroup(accountId, groupId));
    if (isComplete) return send({ ...message, visible });
    const id = groupId ?? message.id;
    const { sourceSize, attachments } = hasAttachments ? await this.files(accountId, id) : NO_FILES;
    const ofParts = attachments.reduce((sum, { size }) => sum + encodedLength(size), unreadBytes * COPIES_OF_TEXT);
    const bytes = sourceSize ?? ofParts;
    const memory = bytes < LARGE_FROM_BYTES ? this.memory.small : this.memory.large;
    const release = await memory.acquire(accountId, bytes, stopping);
    if (!release) throw new StoppingError('The process stops');
    try {
      if (sourceSize !== null)
        return await send({ ...message, visible, source: await this.readSource(accountId, id, sourceSize) });
      const texts = unreadBytes === 0 ? {} : await this.readTexts(message);
      const files = attachments.length === 0 ? [] : await this.readAttachments(accountId, id, attachments);
      return await send({ ...message, ...texts, visible, attachments: files });
    } finally {
      release();
    }
  }

  private async files(accountId: string, groupId: string): Promise<GroupFiles> {
    const files = await this.groups.files(accountId, groupId);
    if (files.sourceSize === null && files.attachments.length === 0) throw noLongerKept('attachments are');
    return files;
  }

  private async readTexts(message: ClaimedMessage): Promise<MessageTexts> {
    if (isRendered(message)) return this.campaigns.texts(message);
    const texts = await this.deliveries.texts(message);
    if (!texts) throw noLongerKept('content is');
    return texts;
  }

  private async readSource(accountId: string, groupId: string, size: number): Promise<Buffer[]> {
    const source: Buffer[] = [];
    for await (const lines of wholeLines(this.groups.read(accountId, groupId, SOURCE_NUMBER))) source.push(lines);
    if (source.reduce((sum, { length }) => sum + length, 0) !== size) throw noLongerKept('attachments are');
    return source;
  }

  private async readAttachments(
    accountId: string,
    groupId: string,
    entries: readonly AttachmentEntry[],
  ): Promise<OutgoingAttachment[]> {
    const parts = new Map<number, Buffer[]>(entries.map(({ number }) => [number, []]));
    let missing = entries.reduce((sum, { size }) => sum + size, 0);
    await this.groups.readAll(accountId, groupId, (number, bytes) => {
      parts.get(number)?.push(encodeLines(bytes));
      missing -= bytes.length;
    });
    if (missing !== 0) throw noLongerKept('attachments are');
    return entries.map(({ number, filename, contentType, contentId }) => {
      return { filename, contentType, contentId, encoded: parts.get(number) ?? [] };
    });
  }

  private async visibleInGroup(accountId: string, groupId: string | null): Promise<VisibleRecipients | null> {
    return groupId === null ? null : visibleRecipients(await this.groups.members(accountId, groupId));
  }
}

const noLongerKept = (what: 'attachments are' | 'content is') =>
  new PermanentDeliveryError(`Its ${what} no longer kept`);

const budgetOf = (bytes: number): KeyedByteBudget =>
  new KeyedByteBudget({ total: bytes, perKey: bytes * MAX_SHARE, slow: bytes, slowAfterMs: SLOW_AFTER_MS });
