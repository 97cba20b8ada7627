import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** `whsec_` and base64 of 32 random bytes. The key of the HMAC is this text as it stands, prefix included, in UTF-8. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** `v1=` and base64 of the HMAC-SHA256 over `timestamp.body`. */
export const sign = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64')}`;
