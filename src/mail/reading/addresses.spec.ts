import { describe, expect, it } from '@jest/globals';

import { addressHeadersOf, readableRecipientsOf, replyToOf, visibleRecipientsOf, withRoles } from './addresses.js';
import { readHeaderFields } from './header-fields.js';

const fieldsOf = (header: string) => readHeaderFields(Buffer.from(`${header}\r\n\r\nBody`)).fields;
const headersOf = (header: string) => addressHeadersOf(fieldsOf(header));
const list = (count: number, prefix = 'r') =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@grüße.example`).join(',\r\n ');
const replyTo = (header: string) => replyToOf(fieldsOf(header), headersOf(header));

describe('The addresses of a mail', () => {
  it('are at most 2,000 in all of its headers', () => {
    expect(headersOf(`To: ${list(1_000)}\r\nErrors-To: ${list(1_000)}`).to).toHaveLength(1_000);
    for (const header of [`To: ${list(2_001)}`, `Cc: ${list(1_000)}\r\nErrors-To: ${list(1_001)}`])
      expect(() => headersOf(header)).toThrow('The headers have more than 2000 addresses');
  });

  it('are shown up to the 200th', () => {
    expect(visibleRecipientsOf(headersOf(`To: ${list(150)}\r\nCc: ${list(50)}`))?.to).toHaveLength(150);
    const more = headersOf(`To: unreadable, ${list(149)}\r\nCc: ${list(51)}`);
    expect(visibleRecipientsOf(more)).toBeNull();
    const { to, cc } = readableRecipientsOf(more);
    expect([to.length, cc.length]).toEqual([149, 50]);
    expect(readableRecipientsOf(headersOf(`To: ${list(201)}\r\nCc: ${list(1)}`)).cc).toEqual([]);
  });

  it('give the recipients of the envelope their roles, in whatever form and position', () => {
    const headers = headersOf(
      `To: ${list(900)}, Ada <ADA@xn--gre-6ka8l.example>\r\nCc: ${list(900, 'c')}, ada@grüße.example, Bob@example.org`,
    );
    const envelope = [
      'hidden@example.org',
      'bob@example.org',
      'ada@GRÜSSE.example',
      'ada@grüße.example',
      'r@example.org',
    ];
    const roles = withRoles(envelope, headers);
    expect(roles.map(({ email, role }) => [email, role])).toEqual([
      ['ada@grüße.example', 'to'],
      ['bob@example.org', 'cc'],
      ['hidden@example.org', 'bcc'],
      ['ada@GRÜSSE.example', 'bcc'],
      ['r@example.org', 'bcc'],
    ]);
  });

  it.each([
    ['none', 'Subject: x', null],
    ['an empty one', 'Reply-To: ', null],
    ['one', 'Reply-To: A <a@example.org>\r\nReply-To: ', { email: 'a@example.org', name: 'A' }],
    ['two addresses', 'Reply-To: a@example.org, b@example.org', undefined],
    ['two headers', 'Reply-To: a@example.org\r\nReply-To: b@example.org', undefined],
    ['an unreadable one', 'Reply-To: nobody', undefined],
    ['an empty group', 'Reply-To: undisclosed:;', undefined],
  ])('have as Reply-To %s', (_, header, expected) => {
    expect(replyTo(header)).toEqual(expected);
  });
});
