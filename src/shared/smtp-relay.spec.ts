import { describe, expect, it } from '@jest/globals';

import { relayFromUrl } from './smtp-relay.js';

describe('relayFromUrl', () => {
  it.each([
    ['smtp://relay.example', 587, false],
    ['smtps://relay.example', 465, true],
    ['smtp://relay.example:2525', 2525, false],
    ['smtps://relay.example:2525', 2525, true],
  ])('connects as %s says', (url, port, secure) => {
    expect(relayFromUrl(url)).toMatchObject({ host: 'relay.example', port, secure, username: null, password: null });
  });

  it('decodes credentials and unwraps an IPv6 address', () => {
    expect(relayFromUrl('smtp://user%40example.com:p%3Ass@[2001:db8::1]')).toMatchObject({
      host: '2001:db8::1',
      username: 'user@example.com',
      password: 'p:ss',
    });
  });

  it('trusts the operator with any address and with plain text', () => {
    expect(relayFromUrl('smtp://localhost')).toMatchObject({ allowPrivateAddress: true, allowPlaintext: true });
  });
});
