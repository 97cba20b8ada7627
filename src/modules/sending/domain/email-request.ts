/** One transactional e-mail as a caller asks for it, its form checked. */
export interface EmailRequest {
  accountId: string;
  apiKeyId: string | null;
  /** The key's own cap per UTC day. */
  keyLimit: number | null;
  /** Identifies repeated requests. */
  idempotencyKey?: { key: string; fingerprint: string } | undefined;
  to: string;
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
