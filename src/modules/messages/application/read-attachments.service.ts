import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import type { AttachmentEntry } from '../domain/message-group.js';
import { MessageGroups } from './ports/message-groups.js';
import { MessageReader } from './ports/message-reader.js';

interface AttachmentFile extends AttachmentEntry {
  /** Read as they are consumed. */
  bytes: AsyncIterable<Buffer>;
}

@Injectable()
export class ReadAttachments {
  constructor(
    private readonly messages: MessageReader,
    private readonly groups: MessageGroups,
  ) {}

  /** An attachment of a message of the account; the copies of a group have the same. */
  async get(accountId: string, id: string, number: number): Promise<AttachmentFile> {
    const timeline = isId(id) ? await this.messages.findWithTimeline(accountId, id, null) : null;
    if (!timeline) throw DomainError.notFound('Message');
    const found = timeline.attachments.find((attachment) => attachment.number === number);
    if (!found) throw DomainError.notFound('Attachment');
    const parts = this.groups.read(accountId, timeline.message.groupId ?? id, number);
    const first = await parts.next();
    return { ...found, bytes: whole(first.done ? Buffer.alloc(0) : first.value, parts, found.size) };
  }
}

/** Throws if the bytes end early, because the content was purged meanwhile. */
async function* whole(first: Buffer, others: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let length = first.length;
  yield first;
  for await (const part of others) {
    length += part.length;
    yield part;
  }
  if (length < size) throw new Error('The attachment was deleted while it was read');
}
