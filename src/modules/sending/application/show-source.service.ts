import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import {
  type AttachmentEntry,
  MessageGroups,
  ReadMessages,
  SOURCE_NUMBER,
  visibleRecipients,
} from '../../messages/index.js';
import { encodeLines } from '../../../mail/writing/base64-lines.js';
import { wholeLines } from '../../../mail/writing/whole-lines.js';
import { MessageProvider, type OutgoingAttachment } from './ports/message-provider.js';

/** The beginning of each attachment, in lines of base64. */
const SHOWN_BYTES = 57 * 20;

/** Shows the mail of a message as it would be submitted. */
@Injectable()
export class ShowSource {
  constructor(
    private readonly messages: ReadMessages,
    private readonly groups: MessageGroups,
    private readonly provider: MessageProvider,
  ) {}

  /**
   * Contains only the beginning of each attachment. Null if the content is no longer kept. Throws `not_found` for an
   * SMS.
   */
  async show(accountId: string, id: string): Promise<string | null> {
    const { message } = await this.messages.withTimeline(accountId, id, null);
    if (message.channel !== 'email') throw DomainError.notFound('Message');
    const content = await this.messages.content(accountId, id);
    if (!content) return null;
    const { groupId } = message;
    const visible =
      content.visible ?? (groupId === null ? null : visibleRecipients(await this.groups.members(accountId, groupId)));
    const { sourceSize, attachments } = await this.groups.files(accountId, groupId ?? id);
    const beginnings: OutgoingAttachment[] = [];
    for (const entry of attachments) beginnings.push(await this.beginningOf(accountId, groupId ?? id, entry));
    const source = sourceSize === null ? null : await this.beginningOfSource(accountId, groupId ?? id, sourceSize);
    const { raw, rest = [] } = await this.provider.compose({
      ...message,
      ...content,
      headers: content.headers ?? null,
      acceptedAt: message.scheduledAt ?? message.createdAt,
      visible,
      attachments: beginnings,
      ...(source && { source }),
    });
    return Buffer.concat([raw, ...rest]).toString();
  }

  private async beginningOfSource(accountId: string, groupId: string, size: number): Promise<Buffer[]> {
    for await (const lines of wholeLines(this.groups.read(accountId, groupId, SOURCE_NUMBER)))
      return [lines, ...(lines.length < size ? [moreBytes(size - lines.length)] : [])];
    return [];
  }

  private async beginningOf(accountId: string, groupId: string, entry: AttachmentEntry): Promise<OutgoingAttachment> {
    const { number, filename, contentType, contentId, size } = entry;
    const encoded: Buffer[] = [];
    for await (const part of this.groups.read(accountId, groupId, number)) {
      encoded.push(encodeLines(part.subarray(0, SHOWN_BYTES)));
      break;
    }
    if (size > SHOWN_BYTES) encoded.push(moreBytes(size - SHOWN_BYTES));
    return { filename, contentType, contentId, encoded };
  }
}

const moreBytes = (bytes: number): Buffer => Buffer.from(`[${bytes} more bytes]\r\n`);
