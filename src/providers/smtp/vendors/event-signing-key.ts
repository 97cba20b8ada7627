import { createPublicKey, type KeyObject } from 'node:crypto';

import type { SmtpVendor } from '../../../shared/account-provider.js';
import { MIN_SIGNING_KEY_LENGTH } from '../../events/signatures.js';

/** Parses SendGrid's verification key, base64 of a DER-encoded SPKI; null unless it is a P-256 key. */
export function sendgridKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

/** Decodes a Standard Webhooks secret, `whsec_` and base64; null for anything else. */
export function standardWebhooksKey(text: string): Buffer | null {
  const [, encoded] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  return key.length > 0 ? key : null;
}

/** The fault of a key that could not verify any event of the vendor; null if there is none. */
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
      return null; // any text can be the secret of an HMAC
  }
}
