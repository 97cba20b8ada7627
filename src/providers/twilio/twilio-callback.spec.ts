import { describe, expect, it } from '@jest/globals';

import { callbackUrl, isSignedBy, signatureOf, signedUrls } from './twilio-callback.js';

/** The sample of Twilio's documentation. */
const TOKEN = '12345';
const URL_ = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const PARAMETERS = {
  ...{ CallSid: 'CA1234567890ABCDE', Caller: '+14158675310', Digits: '1234', From: '+14158675310', To: '+18005551212' },
};
const SIGNATURE = 'GvWf1cFY/Q7PnoempGyD5oXAezc=';

describe('The signature of Twilio', () => {
  it('is that of its documentation, in any order of the parameters', () => {
    const reversed = Object.fromEntries(Object.entries(PARAMETERS).reverse());
    for (const parameters of [PARAMETERS, reversed])
      expect(signatureOf(TOKEN, URL_, new URLSearchParams(parameters))).toBe(SIGNATURE);
    const others = { ...PARAMETERS, Caller: '+14158675309', From: '+14158675309' };
    expect(signatureOf(TOKEN, URL_, new URLSearchParams(others))).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  it('covers repeated parameters once for each value, in order', () => {
    const once = signatureOf(TOKEN, URL_, new URLSearchParams('a=1&a=2'));
    expect(signatureOf(TOKEN, URL_, new URLSearchParams('a=2&a=1&a=2'))).toBe(once);
    expect(signatureOf(TOKEN, URL_, new URLSearchParams('a=1'))).not.toBe(once);
  });

  it.each<[string, { token?: string; url?: string; parameters?: object; signature?: string }]>([
    ['another token', { token: '12346' }],
    ['another address', { url: 'https://mycompany.com/myapp.php?foo=1' }],
    ['another protocol', { url: URL_.replace('https', 'http') }],
    ['another value', { parameters: { ...PARAMETERS, Digits: '4321' } }],
    ['one more parameter', { parameters: { ...PARAMETERS, Extra: '', Zone: '1' } }],
    ['no signature', { signature: '' }],
    ['the beginning of the signature', { signature: SIGNATURE.slice(0, -1) }],
    ['the signature in another case', { signature: SIGNATURE.toLowerCase() }],
  ])('does not fit %s', (_, { token = TOKEN, url = URL_, parameters = PARAMETERS, signature = SIGNATURE }) => {
    const form = (of: object) => new URLSearchParams(of as Record<string, string>);
    expect(isSignedBy(TOKEN, [URL_], form(PARAMETERS), SIGNATURE)).toBe(true);
    expect(isSignedBy(token, [url], form(parameters), signature)).toBe(false);
  });
});

describe('The address of the posts of Twilio', () => {
  it('is below BASE_URL, and names the message', () => {
    const url = callbackUrl('https://mail.example.com/service', 'a1', 'm1');
    expect(url).toBe('https://mail.example.com/service/api/provider-events/twilio/a1?message=m1');
    expect(signedUrls('https://mail.example.com/service', 'a1', 'message=m1')).toContain(url);
  });

  it.each([
    ['https://mail.example.com', ['https://mail.example.com', 'https://mail.example.com:443']],
    ['https://mail.example.com:8443', ['https://mail.example.com', 'https://mail.example.com:8443']],
    ['http://127.0.0.1:3000', ['http://127.0.0.1', 'http://127.0.0.1:3000']],
    ['http://[::1]', ['http://[::1]', 'http://[::1]:80']],
  ])('%s is signed with or without the port', (base, origins) => {
    expect(signedUrls(base, 'a1', '')).toEqual(origins.map((origin) => `${origin}/api/provider-events/twilio/a1`));
  });
});
