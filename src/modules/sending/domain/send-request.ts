interface SendRequest {
  accountId: string;
  apiKeyId: string | null;
  /** The daily limit of the key. */
  keyLimit: number | null;
  /** Identifies repeated requests. */
  idempotencyKey?: { key: string; fingerprint: string } | undefined;
  to: string;
}

/** A validated request for one transactional e-mail. */
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
}

/** A validated request for one SMS. */
export interface SmsRequest extends SendRequest {
  body: string;
}
