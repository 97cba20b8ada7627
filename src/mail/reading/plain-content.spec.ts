import { describe, expect, it } from '@jest/globals';

import { MimeReader } from './mime-parts.js';
import { plainContentOf } from './plain-content.js';

type Parts = readonly string[];

const part = (type: string, body = 'x', more = ''): string => `Content-Type: ${type}\r\n${more}\r\n${body}`;
const multipart = (subtype: string, parts: Parts, boundary = subtype): string => {
  const body = parts.map((inner) => `--${boundary}\r\n${inner}\r\n`).join('');
  return part(`multipart/${subtype}; boundary="${boundary}"`, `${body}--${boundary}--`);
};
const read = (mail: string) => {
  const bytes = Buffer.from(`${mail}\r\n`);
  const content = plainContentOf(new MimeReader(bytes).read(), bytes, { files: 20, body: 1_000 });
  if (!content) return null;
  const { html, text, files } = content;
  return { html, text, files: files.map(({ filename, contentId }) => [filename, contentId]) };
};

const TEXT = part('text/plain', 'text');
const HTML = part('text/html; charset=utf-8', '<p>html <img src="cid:a@b"></p>');
const IMAGE = part('image/png; name=a.png', 'QUJD', 'Content-ID: <a@b>\r\nContent-Transfer-Encoding: base64\r\n');
const PDF = part('application/pdf; name="a.pdf"', 'QUJD', 'Content-Transfer-Encoding: base64\r\n');
const ALTERNATIVE = multipart('alternative', [TEXT, HTML]);
const html = '<p>html <img src="cid:a@b"></p>';

describe('Plain content', () => {
  it.each<[string, string, object]>([
    ['text', TEXT, { html: null, text: 'text', files: [] }],
    ['HTML', HTML, { html, text: null, files: [] }],
    ['text and HTML', ALTERNATIVE, { html, text: 'text', files: [] }],
    ['a file', multipart('mixed', [ALTERNATIVE, PDF]), { html, text: 'text', files: [['a.pdf', null]] }],
    ['only a file', multipart('mixed', [PDF]), { html: null, text: null, files: [['a.pdf', null]] }],
    [
      'an inline image beside HTML that has its id percent-encoded',
      multipart('mixed', [
        part('text/html', '<img src="cid:a%40b">'),
        IMAGE.replace('\r\n', '\r\nContent-Disposition: inline\r\n'),
      ]),
      { html: '<img src="cid:a%40b">', text: null, files: [['a.png', 'a@b']] },
    ],
    [
      'an inline image that CSS shows',
      multipart('mixed', [
        part('text/html', '<p style="background: url(&quot;cid:a@b&quot;)">'),
        IMAGE.replace('\r\n', '\r\nContent-Disposition: inline\r\n'),
      ]),
      { html: '<p style="background: url(&quot;cid:a@b&quot;)">', text: null, files: [['a.png', 'a@b']] },
    ],
    [
      'a part whose type and encoding are given twice',
      part(
        'text/plain',
        'caf=C3=A9',
        [
          'Content-Transfer-Encoding: quoted-printable',
          'Content-Type: text/plain',
          'Content-Transfer-Encoding: quoted-printable',
          '',
        ].join('\r\n'),
      ),
      { html: null, text: 'café', files: [] },
    ],
    ['an inline image', multipart('related', [HTML, IMAGE]), { html, text: null, files: [['a.png', 'a@b']] }],
    [
      'an image inside',
      multipart('alternative', [TEXT, multipart('related', [HTML, IMAGE])]),
      { html, text: 'text', files: [['a.png', 'a@b']] },
    ],
    ['an image outside', multipart('related', [ALTERNATIVE, IMAGE]), { html, text: 'text', files: [['a.png', 'a@b']] }],
    [
      'an image that the HTML shows',
      multipart('mixed', [HTML, IMAGE]),
      { html, text: null, files: [['a.png', 'a@b']] },
    ],
    [
      'an image that it does not show',
      multipart('mixed', [TEXT, IMAGE]),
      { html: null, text: 'text', files: [['a.png', null]] },
    ],
    [
      'a file without a name',
      multipart('mixed', [TEXT, part('application/pdf')]),
      { html: null, text: 'text', files: [['attachment-1.pdf', null]] },
    ],
    [
      'all at once',
      multipart('mixed', [multipart('related', [ALTERNATIVE, IMAGE]), PDF]),
      {
        html,
        text: 'text',
        files: [
          ['a.png', 'a@b'],
          ['a.pdf', null],
        ],
      },
    ],
  ])('is %s', (_, mail, content) => {
    expect(read(mail)).toEqual(content);
  });

  it.each([
    ['an invitation', multipart('alternative', [TEXT, HTML, part('text/calendar; method=REQUEST')])],
    ['an attached invitation', multipart('mixed', [TEXT, part('text/calendar; name=a.ics')])],
    ['a signature', multipart('signed', [TEXT, part('application/pkcs7-signature')])],
    ['an encrypted mail', multipart('encrypted', [part('application/pgp-encrypted'), PDF])],
    ['an S/MIME body', part('application/pkcs7-mime; smime-type=enveloped-data')],
    ['a forwarded mail', multipart('mixed', [TEXT, part('message/rfc822', 'From: a@b\r\n\r\nx')])],
    ['a delivery report', multipart('report', [TEXT, part('message/delivery-status')])],
    ['a text above the limit', part('text/plain', 'x'.repeat(1_001))],
    ['HTML above the limit', part('text/html', 'x'.repeat(1_001))],
    [
      'two encodings',
      part('text/plain', 'x', 'Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: 8bit\r\n'),
    ],
    ['two texts', multipart('mixed', [TEXT, TEXT])],
    ['HTML before text', multipart('alternative', [HTML, TEXT])],
    ['an image between texts', multipart('mixed', [TEXT, part('image/png', 'x', 'Content-Disposition: inline\r\n')])],
    ['a mixed in a mixed', multipart('mixed', [TEXT, multipart('mixed', [PDF], 'inner')])],
    ['nothing but an image', IMAGE],
    ['an unknown charset', part('text/plain; charset=x-klingon')],
    ['an unknown encoding', part('text/plain', 'x', 'Content-Transfer-Encoding: x-uuencode\r\n')],
    ['a related part without an id', multipart('related', [HTML, PDF])],
  ])('is not %s', (_, mail) => {
    expect(read(mail)).toBeNull();
  });
});
