import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { faultOfSigningKey, sendgridKey, standardWebhooksKey } from './event-signing-key.js';

const spki = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

describe('sendgridKey', () => {
  it('accepts P-256 keys only', () => {
    expect(sendgridKey(spki('P-256'))?.type).toBe('public');
    for (const text of [spki('P-384'), 'not a key', '']) expect(sendgridKey(text)).toBeNull();
  });
});

describe('standardWebhooksKey', () => {
  it.each(['whsec_c2VjcmV0', 'c2VjcmV0'])('decodes %s', (text) => {
    expect(standardWebhooksKey(text)?.toString()).toBe('secret');
  });

  it.each(['', 'whsec_', 'whsec_not base64!'])('refuses %j', (text) => {
    expect(standardWebhooksKey(text)).toBeNull();
  });
});

describe('faultOfSigningKey', () => {
  const resendKey = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;

  it.each([
    ['sendgrid', spki('P-256')],
    ['resend', resendKey(16)],
    ['postmark', 'user:password'],
    ['mailgun', 'anything'],
    ['generic', 'anything'],
  ] as const)('accepts a key of %s', (vendor, key) => {
    expect(faultOfSigningKey(vendor, key)).toBeNull();
  });

  it.each([
    ['sendgrid', 'anything'],
    ['resend', resendKey(15)],
    ['postmark', 'password'],
    ['postmark', 'user:'],
  ] as const)('refuses for %s the key %s', (vendor, key) => {
    expect(faultOfSigningKey(vendor, key)).toMatch(/^must be /);
  });
});
