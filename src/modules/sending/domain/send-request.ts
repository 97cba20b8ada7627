import type { GivenAttachment } from './attachment.js';
import type { CopyRole } from './recipients.js';

interface SendRequest {
  accountId: string;
  apiKeyId: string | null;
  /** The daily limit of the key. */
  keyLimit: number | null;
  /** Identifies repeated requests. */
  idempotencyKey?: { key: string; fingerprint: string } | undefined;
  to: string;
  /** ISO 8601 with an offset. */
  scheduledAt?: string | null | undefined;
  /** The message whose content this one repeats. */
  resentFrom?: string;
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
  unsubscribeUrl?: string | null;
  cc?: readonly string[] | null;
  bcc?: readonly string[] | null;
  attachments?: readonly GivenAttachment[] | null;
  headers?: Readonly<Record<string, string>> | null;
  tags?: readonly string[] | null;
  metadata?: Readonly<Record<string, string>> | null;
}

/** A copy that was accepted with an e-mail. */
export interface AcceptedCopy {
  email: string;
  role: CopyRole;
  messageId: string;
}

/** A validated request for one SMS. */
export interface SmsRequest extends SendRequest {
  body: string;
}
