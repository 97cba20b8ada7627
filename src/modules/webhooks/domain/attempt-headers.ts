import { createHmac } from 'node:crypto';

export interface AttemptToSend {
  /** Unique to this attempt. */
  id: string;
  /** Counts from 1. */
  number: number;
  event: string;
  body: string;
}

export interface SigningSecrets {
  current: string;
  /** The secret before the last rotation, as long as receivers may still use it. */
  previous: string | null;
}

/** The headers of an attempt, signed at `now`. */
export function attemptHeaders(
  brand: string,
  { id, number, event, body }: AttemptToSend,
  { current, previous }: SigningSecrets,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${brand}-Webhooks/1.0`,
    [`X-${brand}-Event`]: event,
    [`X-${brand}-Delivery`]: id,
    [`X-${brand}-Timestamp`]: String(timestamp),
    [`X-${brand}-Signature`]: sign(current, timestamp, body),
    [`X-${brand}-Attempt`]: String(number),
    ...(previous === null ? {} : { [`X-${brand}-Signature-Previous`]: sign(previous, timestamp, body) }),
  };
}

/** `v1=` and the base64 of the HMAC-SHA256 over `timestamp.body`. */
const sign = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64')}`;
