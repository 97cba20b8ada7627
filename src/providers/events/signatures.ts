import { createHmac } from 'node:crypto';

export const hmacSha256 = (key: string | Buffer, ...parts: (string | Buffer)[]): Buffer => {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
};

const MS = 1_000;

/** Whether a Unix time in seconds, as text, is within the tolerance of now. */
export function isWithin(seconds: string, toleranceSeconds: number, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) - now.getTime() / MS) <= toleranceSeconds;
}

/** The minimum for every provider: shorter keys could be guessed. */
export const MIN_SIGNING_KEY_LENGTH = 16;
