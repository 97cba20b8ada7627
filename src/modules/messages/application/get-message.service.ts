import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import type { EmailEvent } from '../domain/email-event.js';
import type { MessageLog } from '../domain/message-log.js';
import { MessageReader } from './ports/message-reader.js';

@Injectable()
export class GetMessage {
  constructor(private readonly messages: MessageReader) {}

  /** A key sees what it sent itself; `apiKeyId` null stands for a dashboard user, who sees the whole account. */
  async withTimeline(
    accountId: string,
    id: string,
    apiKeyId: string | null,
  ): Promise<{ message: MessageLog; events: EmailEvent[] }> {
    const message = isId(id) ? await this.messages.find(accountId, id, apiKeyId) : null;
    if (!message) throw DomainError.notFound('Message');
    return { message, events: await this.messages.timeline(accountId, id) };
  }
}
