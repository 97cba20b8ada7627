import { describe, expect, it } from '@jest/globals';

import { toLocation, trackableUrl } from './trackable-link.js';

describe('a link whose clicks are counted', () => {
  it.each(['https://a.example', 'HTTP://a.example/ü?x=y z#w', ' https://a.example\n', 'https://user:pass@a.example'])(
    'is %j',
    (href) => {
      expect(trackableUrl(href)).not.toBeNull();
    },
  );

  it.each([
    ...['mailto:a@example.com', 'tel:+431234', 'sms:+431234', '#top', '', 'javascript:alert(1)', 'data:text/html,x'],
    ...[
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'ftp://a.example',
      'cid:x',
      'about:blank',
    ],
    ...['/path', 'path', '//a.example/path', '?x=y', 'https:a.example', 'https://', 'https://a b.example', 'http://['],
    ...['{{unsubscribeUrl}}', 'https://a.example/?u={{ unsubscribeUrl }}', 'https://{{{unsubscribeUrl}}}/x'],
    ...[`https://a.example/${'x'.repeat(5_000)}`, 'https://a.example/\ud800'],
  ])('is not %j', (href) => {
    expect(trackableUrl(href)).toBeNull();
  });
});

describe('a Location header', () => {
  it('is exactly what was signed, if a header can hold it', () => {
    for (const url of ['https://a.example', 'https://a.example/?a=b&c=%20d#"<>\\', 'HTTPS://A.example/../x'])
      expect(toLocation(url)).toBe(url);
  });

  it('is percent-encoded like in a browser otherwise', () => {
    expect(toLocation(' https://bücher.example/ü?ü=a b\n')).toBe('https://xn--bcher-kva.example/%C3%BC?%C3%BC=a%20b');
    expect(toLocation('https://a.example/\r\nSet-Cookie: x')).toBe('https://a.example/Set-Cookie:%20x');
  });
});
