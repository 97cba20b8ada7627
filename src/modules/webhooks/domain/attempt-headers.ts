import { sign } from './signing-secret.js';

/** What one attempt says. */
export interface AttemptToSend {
  /** Its own, other than that of any other attempt. */
  id: string;
  /** From 1. */
  number: number;
  event: string;
  body: string;
}

export interface SigningSecrets {
  current: string;
  /** The one before, while receivers may still know only that. */
  previous: string | null;
}

/** The headers of an attempt that is signed at `now`. */
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
