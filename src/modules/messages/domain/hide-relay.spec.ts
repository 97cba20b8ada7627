import { describe, expect, it } from '@jest/globals';

import { hideRelay, hideRelayIn } from './hide-relay.js';

describe('hideRelay', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:2525', 'connect ECONNREFUSED [relay]'],
    ['connect ECONNREFUSED ::1:2525', 'connect ECONNREFUSED [relay]'],
    ['connect ETIMEDOUT 2001:db8::7:587', 'connect ETIMEDOUT [relay]'],
    ['connect EHOSTUNREACH 10.1.2.3:25 - Local (10.0.0.9:50412)', 'connect EHOSTUNREACH [relay] - Local ([relay])'],
    ['getaddrinfo ENOTFOUND smtp.internal.example', 'getaddrinfo ENOTFOUND [relay]'],
    ['queryA ESERVFAIL smtp.internal.example', 'queryA ESERVFAIL [relay]'],
    [
      "Hostname/IP does not match certificate's altnames: Host: a.internal. is not in the cert's altnames: DNS:b.internal",
      "Hostname/IP does not match certificate's altnames: [relay]",
    ],
    ['421 [198.51.100.7] is throttled.', '421 [[relay]] is throttled.'],
    ['Refused by 198.51.100.7.', 'Refused by [relay].'],
    ['220 Mail.Example.net ready at mail.example.net', '220 [relay] ready at [relay]'],
  ])('removes the addresses from %s', (text, shown) => {
    expect(hideRelay(text, ['mail.example.net'])).toBe(shown);
  });

  it.each([
    '550 5.1.1 <ada@example.org>: Recipient address rejected',
    'Connection timeout after 10:00:00',
    '452 4.2.2 Quota of 1.5 GB exceeded',
    'Internal error',
  ])('leaves %s unchanged', (text) => {
    expect(hideRelay(text, ['mail.example.net'])).toBe(text);
  });

  it('runs in linear time', () => {
    const text = `${'1'.repeat(300_000)} ${'getaddrinfo '.repeat(20_000)} ${'a.'.repeat(100_000)}`;
    expect(hideRelay(text, ['mail.example.net'])).toBe(text);
  });

  it('leaves the fields of opens and clicks unchanged', () => {
    const visit = { ip: '198.51.100.7', userAgent: 'Mail/1.2.3.4', url: 'http://198.51.100.7/' };
    expect(hideRelayIn(visit, [])).toEqual(visit);
    expect(hideRelayIn({ smtpResponse: 'by 198.51.100.7', list: [{ text: 'by 198.51.100.7' }], size: 7 }, [])).toEqual({
      smtpResponse: 'by [relay]',
      list: [{ text: 'by [relay]' }],
      size: 7,
    });
  });
});
