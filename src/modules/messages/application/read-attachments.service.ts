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
  async find(accountId: string, id: string, number: number): Promise<AttachmentFile> {
    const message = isId(id) ? await this.messages.find(accountId, id, null) : null;
    if (!message) throw DomainError.notFound('Message');
    const groupId = message.groupId ?? id;
    const attachments = await this.groups.attachments(accountId, groupId);
    const found = attachments.find((attachment) => attachment.number === number);
    if (!found) throw DomainError.notFound('Attachment');
    return { ...found, bytes: this.groups.read(accountId, groupId, number) };
  }
}
