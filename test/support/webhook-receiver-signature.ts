import { createHmac } from 'node:crypto';

import type { SignatureVerdict } from './webhook-receiver-script.js';

const FORM = /^v1=([A-Za-z0-9+/]{43}=)$/;

/** An independent implementation: `v1=` and the base64 of the HMAC-SHA256 over timestamp, dot and the received body. */
export function checkSignature(
  header: string | undefined,
  timestamp: string | undefined,
  body: Buffer,
  secret: string,
): SignatureVerdict {
  if (header === undefined) return 'missing';
  const [, given] = FORM.exec(header) ?? [];
  if (given === undefined || !/^\d{10}$/.test(timestamp ?? '')) return 'malformed';
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8'));
  expected.update(`${timestamp}.`).update(body);
  return expected.digest('base64') === given ? 'valid' : 'wrong';
}
