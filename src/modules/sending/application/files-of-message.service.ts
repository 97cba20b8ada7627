import { Injectable } from '@nestjs/common';

import { Limiter } from '../../../concurrency/limiter.js';
import { MessageGroups, type MessageLog, SOURCE_NUMBER } from '../../messages/index.js';
import type { GivenAttachment } from '../domain/attachment.js';

/** Messages at a time whose files are in memory. */
const WITH_FILES = { total: 1 };

/** Attachments, or the mail as submitted. */
interface Files {
  source: Buffer | null;
  attachments: GivenAttachment[];
}

@Injectable()
export class FilesOfMessage {
  private readonly reading = new Limiter(WITH_FILES);

  constructor(private readonly groups: MessageGroups) {}

  /** Does the work with the files of a stored message, which are in memory until it ends. */
  async during<T>(message: MessageLog, work: (files: Files) => Promise<T>): Promise<T> {
    const { accountId } = message;
    const groupId = message.groupId ?? message.id;
    const { sourceSize, attachments: entries } = await this.groups.files(accountId, groupId);
    if (sourceSize === null && entries.length === 0) return work({ source: null, attachments: [] });
    return this.reading.run(accountId, async () => {
      const source = sourceSize === null ? null : await this.read(accountId, groupId, SOURCE_NUMBER);
      const attachments: GivenAttachment[] = [];
      for (const { number, filename, contentType, contentId } of entries)
        attachments.push({ filename, contentType, contentId, content: await this.read(accountId, groupId, number) });
      return work({ source, attachments });
    });
  }

  private async read(accountId: string, groupId: string, number: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.groups.read(accountId, groupId, number)) parts.push(part);
    return Buffer.concat(parts);
  }
}
