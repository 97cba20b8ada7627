/** A validated request for one SMS. */
export interface SmsRequest {
  accountId: string;
  apiKeyId: string | null;
  /** The daily limit of the key. */
  keyLimit: number | null;
  /** Identifies repeated requests. */
  idempotencyKey?: { key: string; fingerprint: string } | undefined;
  to: string;
  body: string;
}
