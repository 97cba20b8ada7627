import type { EmailEvent } from '../../domain/email-event.js';
import type { MessageLog } from '../../domain/message-log.js';

export abstract class MessageReader {
  /** Null for a message of another account and, where a key is given, of another key. */
  abstract find(accountId: string, id: string, apiKeyId: string | null): Promise<MessageLog | null>;

  /** By time of occurrence, oldest first. */
  abstract timeline(accountId: string, messageId: string): Promise<EmailEvent[]>;
}
