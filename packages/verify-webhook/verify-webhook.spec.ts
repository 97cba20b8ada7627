import { createHmac } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { verifyWebhook, webhookFault } from './verify-webhook.js';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludCwgMzIgYnl0ZXM=';
const OLD_SECRET = 'whsec_b2xk';
const NOW = new Date('2026-11-21T10:00:00.000Z');
const SIGNED_AT = String(NOW.getTime() / 1_000);
const BODY = '{"event":"contact.unsubscribed","data":{"email":"ädä@example.org"}}';

const sign = (secret = SECRET, body = BODY, timestamp = SIGNED_AT) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64')}`;
const signed = (changes: Record<string, string | string[] | undefined> = {}) => ({
  'x-service-timestamp': SIGNED_AT,
  'x-service-signature': sign(),
  ...changes,
});
const fault = (headers = signed(), { body = BODY, secret = SECRET, now = NOW } = {}) =>
  webhookFault(headers, body, secret, now);

const WRONG = 'The signature is wrong';

describe('verifyWebhook', () => {
  it('takes what the service signed, whatever holds its headers and body', () => {
    const headers = { 'X-Service-Timestamp': SIGNED_AT, 'X-Service-Signature': sign() };
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      for (const held of [headers, signed(), new Headers(headers), new Map(Object.entries(signed()))])
        expect(verifyWebhook(held as Headers, body, SECRET, NOW)).toBe(true);
  });

  it('agrees with a signature that openssl made', () => {
    const headers = {
      'x-service-timestamp': '1700000000',
      'x-service-signature': 'v1=leJSr80N8esIqfm/Rf/iy+Yp6qmVGqLazdU1Sn3PQAg=',
    };
    expect(verifyWebhook(headers, '{"a":"ü"}', 'whsec_dGVzdA==', new Date(1_700_000_000_000))).toBe(true);
  });

  it('refuses another secret', () => {
    expect(fault(signed(), { secret: OLD_SECRET })).toBe(WRONG);
    expect(fault(signed(), { secret: SECRET.slice('whsec_'.length) })).toBe(WRONG);
    expect(verifyWebhook(signed(), BODY, OLD_SECRET, NOW)).toBe(false);
  });

  it('refuses an altered body, also where it says the same', () => {
    expect(fault(signed(), { body: `${BODY} ` })).toBe(WRONG);
    expect(fault(signed(), { body: JSON.stringify(JSON.parse(BODY), null, 1) })).toBe(WRONG);
    expect(fault(signed(), { body: '' })).toBe(WRONG);
  });

  it('refuses a signature whose timestamp was altered', () => {
    expect(fault(signed({ 'x-service-timestamp': String(Number(SIGNED_AT) + 1) }))).toBe(WRONG);
    expect(fault(signed({ 'x-service-timestamp': `0${SIGNED_AT}` }))).toBe(WRONG);
  });

  it.each([-300, 300])('takes a timestamp that is %i seconds away, and none further', (seconds) => {
    const at = (ms: number) => new Date(NOW.getTime() + ms);
    const far = 'The timestamp is more than 300 seconds away';
    expect(fault(signed(), { now: at(seconds * 1_000) })).toBeNull();
    expect(fault(signed(), { now: at(seconds * 1_000 + Math.sign(seconds)) })).toBe(far);
    expect(webhookFault(signed(), BODY, SECRET, at(seconds * 1_000), { toleranceSeconds: 60 })).toMatch('60 seconds');
  });

  it('refuses everything at a time that is none', () => {
    expect(fault(signed(), { now: new Date(NaN) })).not.toBeNull();
  });

  it.each([undefined, '', 'soon', '1e9', '-1', '17.5', '0x10', ` ${SIGNED_AT}`])(
    'refuses the timestamp %j',
    (value) => {
      expect(fault(signed({ 'x-service-timestamp': value }))).toBe('There is no timestamp');
    },
  );

  it('refuses where a header is missing or there twice', () => {
    expect(fault(signed({ 'x-service-signature': undefined }))).toBe('There is no signature');
    expect(fault(signed({ 'x-service-signature': [sign(), sign()] }))).toBe('There is no signature');
    expect(fault(signed({ 'X-Service-Signature': sign() }))).toBe('There is no signature');
    expect(fault({} as ReturnType<typeof signed>)).toBe('There is no signature');
  });

  it.each([
    ['nothing', ''],
    ['no version', sign().slice(3)],
    ['another version', sign().replace('v1', 'v2')],
    ['another case', sign().replace('v1', 'V1')],
    ['no padding', sign().replace('=', '').replace(/=$/, '')],
    ['a part', sign().slice(0, 20)],
    ['more', `${sign()}a`],
    ['two', `${sign()} ${sign()}`],
    ['another alphabet', 'v1=ÄÖÜ'],
  ])('refuses a signature that is %s', (_what, value) => {
    expect(fault(signed({ 'x-service-signature': value }))).toBe(WRONG);
  });

  it('takes both secrets while one takes the place of the other', () => {
    const rotated = signed({ 'x-service-signature-previous': sign(OLD_SECRET) });
    expect(fault(rotated)).toBeNull();
    expect(fault(rotated, { secret: OLD_SECRET })).toBeNull();
    expect(fault(rotated, { secret: 'whsec_other' })).toBe(WRONG);
    expect(fault(rotated, { secret: OLD_SECRET, body: '{}' })).toBe(WRONG);
  });

  it('refuses to verify with no secret, which anybody has', () => {
    const forged = signed({ 'x-service-signature': sign('') });
    expect(fault(forged, { secret: '' })).toBe('There is no secret to verify with');
    expect(verifyWebhook(forged, BODY, undefined as unknown as string, NOW)).toBe(false);
  });

  it('knows the headers of another brand', () => {
    const headers = { 'X-Acme-Mail-Timestamp': SIGNED_AT, 'X-Acme-Mail-Signature': sign() };
    expect(verifyWebhook(headers, BODY, SECRET, NOW, { brand: 'Acme-Mail' })).toBe(true);
    expect(verifyWebhook(headers, BODY, SECRET, NOW)).toBe(false);
    expect(verifyWebhook(signed(), BODY, SECRET, NOW, { brand: 'Acme-Mail' })).toBe(false);
  });
});
