/** One SMS as a caller asks for it, its form checked. */
export interface SmsRequest {
  accountId: string;
  apiKeyId: string | null;
  /** The key's own cap per UTC day. */
  keyLimit: number | null;
  /** Identifies repeated requests. */
  idempotencyKey?: { key: string; fingerprint: string } | undefined;
  to: string;
  body: string;
}
