import { createPublicKey, type KeyObject } from 'node:crypto';

import type { SmtpVendor } from './account-provider.js';

/** SendGrid's verification key, base64 of an SPKI in DER without PEM lines; null for anything else than a P-256 key. */
export function sendgridKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

/** The bytes of a Standard Webhooks secret, base64 after `whsec_`; null where it is none. */
export function standardWebhooksKey(text: string): Buffer | null {
  const [, encoded] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  return key.length > 0 ? key : null;
}

/** For every vendor; shorter keys could be guessed. */
export const MIN_SIGNING_KEY_LENGTH = 16;

/** What a key of the vendor must look like, where this one does not: no event could be verified with it. */
export function faultOfSigningKey(vendor: SmtpVendor, key: string): string | null {
  switch (vendor) {
    case 'sendgrid':
      return sendgridKey(key) ? null : "must be SendGrid's verification key: base64 of a P-256 public key";
    case 'resend':
      return (standardWebhooksKey(key)?.length ?? 0) >= MIN_SIGNING_KEY_LENGTH
        ? null
        : 'must be whsec_ and base64 of at least 16 bytes, as Resend shows it';
    case 'postmark':
      return /^[^:]+:.+$/.test(key) ? null : 'must be the user:password that the webhook URL at Postmark carries';
    case 'generic':
    case 'mailgun':
      return null; // any text is a secret of an HMAC
  }
}
