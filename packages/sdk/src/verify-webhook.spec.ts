import { createHmac } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { verifyWebhook, type VerifyOptions, WebhookError, type WebhookHeaders } from './verify-webhook.js';

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
const verify = (headers: WebhookHeaders = signed(), { body = BODY, secret = SECRET, ...options }: Changes = {}) =>
  verifyWebhook(headers, body, secret, { now: NOW, ...options });

interface Changes extends VerifyOptions {
  body?: string | Uint8Array;
  secret?: string;
}

/** The message of the refusal; null if the request is accepted. */
const fault = (headers?: WebhookHeaders, changes?: Changes) =>
  verify(headers, changes).then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(WebhookError);
      return (error as Error).message;
    },
  );

const WRONG = 'The signature is wrong';

describe('verifyWebhook', () => {
  it('returns what the service signed, whatever holds its headers and body', async () => {
    const headers = { 'X-Service-Timestamp': SIGNED_AT, 'X-Service-Signature': sign() };
    const webhook = { event: 'contact.unsubscribed', data: { email: 'ädä@example.org' } };
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      for (const held of [headers, signed(), new Headers(headers), new Map(Object.entries(signed()))])
        expect(await verify(held as WebhookHeaders, { body })).toEqual(webhook);
  });

  it('agrees with a signature that openssl made', async () => {
    const headers = {
      'x-service-timestamp': '1700000000',
      'x-service-signature': 'v1=leJSr80N8esIqfm/Rf/iy+Yp6qmVGqLazdU1Sn3PQAg=',
    };
    const now = new Date(1_700_000_000_000);
    expect(await verifyWebhook(headers, '{"a":"ü"}', 'whsec_dGVzdA==', { now })).toEqual({ a: 'ü' });
  });

  it('compares with the clock', async () => {
    const now = String(Math.floor(Date.now() / 1_000));
    const headers = { 'x-service-timestamp': now, 'x-service-signature': sign(SECRET, BODY, now) };
    expect(await verifyWebhook(headers, BODY, SECRET)).toMatchObject({ event: 'contact.unsubscribed' });
    await expect(verifyWebhook(signed(), BODY, SECRET)).rejects.toThrow('The timestamp is more than 300 seconds away');
  });

  it('refuses another secret', async () => {
    expect(await fault(signed(), { secret: OLD_SECRET })).toBe(WRONG);
    expect(await fault(signed(), { secret: SECRET.slice('whsec_'.length) })).toBe(WRONG);
  });

  it('refuses an altered body, also where it says the same', async () => {
    expect(await fault(signed(), { body: `${BODY} ` })).toBe(WRONG);
    expect(await fault(signed(), { body: JSON.stringify(JSON.parse(BODY), null, 1) })).toBe(WRONG);
    expect(await fault(signed(), { body: '' })).toBe(WRONG);
  });

  it('refuses a signature whose timestamp was altered', async () => {
    expect(await fault(signed({ 'x-service-timestamp': String(Number(SIGNED_AT) + 1) }))).toBe(WRONG);
    expect(await fault(signed({ 'x-service-timestamp': `0${SIGNED_AT}` }))).toBe(WRONG);
  });

  it.each([-300, 300])('takes a timestamp that is %i seconds away, and none further', async (seconds) => {
    const at = (ms: number) => new Date(NOW.getTime() + ms);
    const far = 'The timestamp is more than 300 seconds away';
    expect(await fault(signed(), { now: at(seconds * 1_000) })).toBeNull();
    expect(await fault(signed(), { now: at(seconds * 1_000 + Math.sign(seconds)) })).toBe(far);
    expect(await fault(signed(), { now: at(seconds * 1_000), toleranceSeconds: 60 })).toMatch('60 seconds');
  });

  it('refuses everything at a time that is none', async () => {
    expect(await fault(signed(), { now: new Date(NaN) })).not.toBeNull();
  });

  it.each([undefined, '', 'soon', '1e9', '-1', '17.5', '0x10', ` ${SIGNED_AT}`])(
    'refuses the timestamp %j',
    async (value) => {
      expect(await fault(signed({ 'x-service-timestamp': value }))).toBe('There is no timestamp');
    },
  );

  it('refuses where a header is missing or there twice', async () => {
    expect(await fault(signed({ 'x-service-signature': undefined }))).toBe('There is no signature');
    expect(await fault(signed({ 'x-service-signature': [sign(), sign()] }))).toBe('There is no signature');
    expect(await fault(signed({ 'X-Service-Signature': sign() }))).toBe('There is no signature');
    expect(await fault({})).toBe('There is no signature');
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
  ])('refuses a signature that is %s', async (_what, value) => {
    expect(await fault(signed({ 'x-service-signature': value }))).toBe(WRONG);
  });

  it('takes both secrets while one takes the place of the other', async () => {
    const rotated = signed({ 'x-service-signature-previous': sign(OLD_SECRET) });
    expect(await fault(rotated)).toBeNull();
    expect(await fault(rotated, { secret: OLD_SECRET })).toBeNull();
    expect(await fault(rotated, { secret: 'whsec_other' })).toBe(WRONG);
    expect(await fault(rotated, { secret: OLD_SECRET, body: '{}' })).toBe(WRONG);
  });

  it('refuses to verify with no secret, which anybody has', async () => {
    const forged = signed({ 'x-service-signature': sign('') });
    expect(await fault(forged, { secret: '' })).toBe('There is no secret to verify with');
    await expect(verifyWebhook(forged, BODY, undefined as unknown as string, { now: NOW })).rejects.toThrow(
      WebhookError,
    );
  });

  it('refuses a signed body that is not JSON', async () => {
    expect(await fault(signed({ 'x-service-signature': sign(SECRET, '{') }), { body: '{' })).toBe(
      'The body is not JSON',
    );
  });

  it('knows the headers of another brand', async () => {
    const headers = { 'X-Acme-Mail-Timestamp': SIGNED_AT, 'X-Acme-Mail-Signature': sign() };
    expect(await fault(headers, { brand: 'Acme-Mail' })).toBeNull();
    expect(await fault(headers)).not.toBeNull();
    expect(await fault(signed(), { brand: 'Acme-Mail' })).not.toBeNull();
  });
});
