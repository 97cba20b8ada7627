import type { MessageRole, VisibleRecipients } from '../../../shared/mail-recipients.js';
import type { GivenAttachment } from './attachment.js';
import type { Copy } from './recipients.js';

interface SendRequest {
  accountId: string;
  /** Set for a message of a test account: the account that this belongs to, whose templates the message uses. */
  testOf?: string | null;
  apiKeyId: string | null;
  /** The daily limit of the key. */
  keyLimit: number | null;
  /** Identifies repeated requests. */
  idempotencyKey?: { key: string; fingerprint: string } | undefined;
  to: string;
  /** ISO 8601 with an offset. */
  scheduledAt?: string | null | undefined;
  topicId?: string | null | undefined;
  /** The message whose content this one repeats. */
  resentFrom?: string;
}

/** The fields that a mail submitted by SMTP has instead of cc and bcc. */
export interface SubmittedMail {
  /** The role of `to`, the first recipient of the envelope. */
  role: MessageRole;
  /** The other recipients of the envelope. */
  copies: readonly Copy[];
  /** To and Cc of the mail; null if they show `to` and nothing else. */
  visible: VisibleRecipients | null;
  /** The mail itself, to be sent instead of html and text, without the headers that the service sets. */
  source: Buffer | null;
}

/** A validated request for one transactional e-mail, with its copies. */
export interface EmailRequest extends SendRequest {
  fromEmail: string;
  fromName?: string | null;
  replyTo?: string | null;
  subject?: string | null;
  html?: string | null;
  text?: string | null;
  templateId?: string | null;
  variables?: Record<string, unknown> | null;
  /** Refuses a content with a placeholder that has no value. */
  strictVariables?: boolean | null;
  unsubscribeUrl?: string | null;
  cc?: readonly string[] | null;
  bcc?: readonly string[] | null;
  attachments?: readonly GivenAttachment[] | null;
  headers?: Readonly<Record<string, string>> | null;
  tags?: readonly string[] | null;
  metadata?: Readonly<Record<string, string>> | null;
  submitted?: SubmittedMail;
}

/** A copy that was accepted with an e-mail. */
export interface AcceptedCopy {
  email: string;
  role: MessageRole;
  messageId: string;
}

/** A validated request for one SMS. */
export interface SmsRequest extends SendRequest {
  body: string;
}
