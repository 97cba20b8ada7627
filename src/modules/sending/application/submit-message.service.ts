import { Injectable } from '@nestjs/common';

import { MAX_HELD_FILES_MB, MAX_HELD_SMALL_FILES_MB } from '../../../config/limits.js';
import { Limiter, shareOf } from '../../../concurrency/limiter.js';
import { BYTES_PER_MB, sharedCopy } from '../../../shared/bytes.js';
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
import { encodedLength, encodeLines } from '../../../mail/writing/base64-lines.js';
import { wholeLines } from '../../../mail/writing/whole-lines.js';
import { PermanentDeliveryError } from '../../../shared/delivery-error.js';
import { StoppingError } from '../domain/submission-refused.js';
import { CheckSubmission } from './check-submission.service.js';
import {
  MessageProvider,
  type OutgoingAttachment,
  type OutgoingMessage,
  type ProviderReceipt,
} from './ports/message-provider.js';
import { isRendered, RenderCampaign } from './render-campaign.service.js';

const LARGE_FROM_BYTES = BYTES_PER_MB;
/** The share of the memory for one account, so that a few slow relays do not hold up the attachments of others. */
const SHARE_OF_ACCOUNT = 1 / 6;
/** A text is in memory as it was read, as part of the mail, and as the socket takes it. */
const COPIES_OF_TEXT = 3;
const NO_FILES: GroupFiles = { sourceSize: null, attachments: [] };

/** Submits a claimed message to the provider, with everything that its mail has. */
@Injectable()
export class SubmitMessage {
  private readonly memory = { small: limiterOf(MAX_HELD_SMALL_FILES_MB), large: limiterOf(MAX_HELD_FILES_MB) };

  constructor(
    private readonly groups: MessageGroups,
    private readonly deliveries: PendingDeliveryRepository,
    private readonly campaigns: RenderCampaign,
    private readonly checks: CheckSubmission,
    private readonly provider: MessageProvider,
  ) {}

  /** The end of the quiet hours in which the message must not be submitted now; null if it may be. */
  quietUntil(message: ClaimedMessage): Promise<Date | null> {
    return this.checks.quietUntil(message);
  }

  /**
   * See `MessageProvider.send`. Throws PermanentDeliveryError if the content cannot be rendered or is no longer kept,
   * and StoppingError if `stopping` is aborted while this waits for memory.
   */
  async submit(claimed: ClaimedMessage, stopping: AbortSignal): Promise<ProviderReceipt> {
    const check = this.checks.forMessage(claimed, stopping);
    const message = await this.campaigns.fill(claimed);
    const { accountId, groupId, hasAttachments, unreadBytes } = message;
    const visible =
      message.visible ?? (groupId === null ? null : visibleRecipients(await this.groups.members(accountId, groupId)));
    if (!hasAttachments && unreadBytes === 0) return this.provider.send({ ...message, visible }, check);
    return this.complete(message, stopping, (rest) => this.provider.send({ ...message, ...rest, visible }, check));
  }

  /**
   * Calls `send` with what was left out: large texts, which are read, or rendered for a campaign, and attachments, or
   * the mail as submitted. They are in memory until `send` has resolved; if there are too many, this waits before it
   * reads them.
   */
  private async complete(
    message: ClaimedMessage,
    stopping: AbortSignal,
    send: (rest: Partial<OutgoingMessage>) => Promise<ProviderReceipt>,
  ): Promise<ProviderReceipt> {
    const { accountId, hasAttachments, unreadBytes } = message;
    const id = message.groupId ?? message.id;
    const { sourceSize, attachments } = hasAttachments ? await this.files(accountId, id) : NO_FILES;
    const ofParts = attachments.reduce((sum, { size }) => sum + encodedLength(size), unreadBytes * COPIES_OF_TEXT);
    const bytes = sourceSize ?? ofParts;
    const memory = bytes < LARGE_FROM_BYTES ? this.memory.small : this.memory.large;
    const sendComplete = async () => {
      if (sourceSize !== null) return send({ source: await this.readSource(accountId, id, sourceSize) });
      const texts = unreadBytes === 0 ? {} : await this.readTexts(message);
      const files = attachments.length === 0 ? [] : await this.readAttachments(accountId, id, attachments);
      return send({ ...texts, attachments: files });
    };
    return memory.run(accountId, sendComplete, { weight: bytes, signal: stopping });
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
    for await (const lines of wholeLines(this.groups.read(accountId, groupId, SOURCE_NUMBER)))
      source.push(sharedCopy(lines));
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
}

const noLongerKept = (what: 'attachments are' | 'content is') =>
  new PermanentDeliveryError(`Its ${what} no longer kept`);

const limiterOf = (megabytes: number): Limiter =>
  new Limiter({
    total: megabytes * BYTES_PER_MB,
    perKey: shareOf(megabytes * BYTES_PER_MB, SHARE_OF_ACCOUNT),
    refusal: () => new StoppingError('The process stops'),
  });
