import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { MessageReader } from '../application/ports/message-reader.js';
import { EmailEvent } from '../domain/email-event.js';
import { MessageLog } from '../domain/message-log.js';

@Injectable()
export class TypeOrmMessageReader extends MessageReader {
  constructor(private readonly database: Database) {
    super();
  }

  find(accountId: string, id: string, apiKeyId: string | null): Promise<MessageLog | null> {
    const where = apiKeyId === null ? { accountId, id } : { accountId, id, apiKeyId };
    return this.database.manager.getRepository(MessageLog).findOneBy(where);
  }

  /** Events carry no account: the message they belong to is looked for first. */
  timeline(accountId: string, messageId: string): Promise<EmailEvent[]> {
    return this.database.query<EmailEvent>(TIMELINE, [accountId, messageId]);
  }
}

const TIMELINE = `
  SELECT e.message_id AS "messageId", e.id, e.type, e.occurred_at AS "occurredAt", e.recipient, e.data
  FROM email_events e
  WHERE e.message_id = $2 AND EXISTS (SELECT 1 FROM message_logs m WHERE m.id = $2 AND m.account_id = $1)
  ORDER BY e.occurred_at, e.id`;
