import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { budget } from '../../test/support/budget.js';
import { deliverableEmail, emailDomain, hasAsciiLocalPart, isEmailAddress, normaliseEmail } from './email-address.js';

const labels = (count: number, length: number) => Array.from({ length: count }, () => 'a'.repeat(length)).join('.');
const ofOctets = (count: number) => `${'a'.repeat(64)}@${labels(2, 63)}.${'a'.repeat(count - 193)}`;

describe('isEmailAddress', () => {
  it.each([
    'ada@example.com',
    ' Ada@Example.COM ',
    "o'hara+news=x/y!#$%&*-?^_`{|}~@example.com",
    'ada@mail.eu-west-1.example.co',
    'ada@1st.example',
    'ada@bücher.example',
    'ada@xn--bcher-kva.example',
    'ada@例え。テスト',
    'jürgen@example.com',
    `${'a'.repeat(64)}@example.com`,
    `ada@${'a'.repeat(63)}.com`,
    `ada@${labels(3, 63)}.${'a'.repeat(58)}`,
  ])('accepts %j', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    ['ada', 'no domain'],
    ['@example.com', 'no local part'],
    ['ada@', 'an empty domain'],
    ['ada@localhost', 'a domain without a dot'],
    ['ada@example.com.', 'a trailing dot'],
    ['ada@.example.com', 'a leading dot in the domain'],
    ['ada@example..com', 'an empty label'],
    ['ada@-example.com', 'a label that begins with a hyphen'],
    ['ada@example-.com', 'a label that ends with a hyphen'],
    ['ada@exam_ple.com', 'an underscore in the domain'],
    ['ada@192.0.2.1', 'an IP address'],
    ['ada@[192.0.2.1]', 'an address literal'],
    ['ada@[::1]', 'an IPv6 address literal'],
    ['ada@１２７.1', 'an IP address in full-width digits'],
    ['ada@xn--a.com', 'invalid punycode'],
    ['ada@xn--bcher-kva.xn--a.com', 'invalid punycode in one of two labels'],
    ['ada@xn--a-.com', 'punycode of ASCII'],
    ['ada@xn--xn---epa.com', 'punycode of a label that looks like punycode'],
    ['.ada@example.com', 'a leading dot in the local part'],
    ['ada.@example.com', 'a trailing dot in the local part'],
    ['a..da@example.com', 'two dots in the local part'],
    ['ada@home@example.com', 'two ats'],
    ['"ada"@example.com', 'a quoted local part'],
    ['"ada b"@example.com', 'a quoted local part with a space'],
    ['Ada <ada@example.com>', 'a display name'],
    ['ada@example.com, bob@example.com', 'two addresses'],
    ['ada@example.com;bob@example.com', 'two addresses'],
    ['ada(comment)@example.com', 'a comment'],
    ['a da@example.com', 'a space in the local part'],
    ['ada@exam ple.com', 'a space in the domain'],
    ['ada\u00a0b@example.com', 'a no-break space'],
    ['ada@example.com\r\nBcc: bob@example.com', 'a second header'],
    ['ada\r\n@example.com', 'a line break in the local part'],
    ['ada@exam\r\nple.com', 'a line break in the domain'],
    ['ada@example.com\n', 'a line break at the end'],
    ['ada@exam\tple.com', 'a tab'],
    ['ada\0@example.com', 'a NUL'],
    ['\u200bada@example.com', 'a zero-width space'],
    ['ada@exam\u00adple.com', 'a soft hyphen'],
    ['ada\ud800@example.com', 'half a surrogate pair'],
    ['ada@example.com/x', 'a path'],
    ['ada@example.com?x', 'a query'],
    ['ada@example.com#x', 'a fragment'],
    ['ada@bücher.example\\x', 'a backslash'],
    ['ada@example.com:25', 'a port'],
    ['ada@ex%61mple.com', 'a percent-encoded domain'],
    [`${'a'.repeat(65)}@example.com`, 'a local part of 65 octets'],
    [`${'ü'.repeat(33)}@example.com`, 'a local part of 66 octets in 33 characters'],
    [`ada@${'a'.repeat(64)}.com`, 'a label of 64 characters'],
    [`ada@${'ü'.repeat(60)}.com`, 'a label that is longer than 63 characters in punycode'],
    [`ada@${labels(3, 63)}.${'a'.repeat(62)}`, 'a domain of 254 characters'],
    [`ada@example.com${' '.repeat(400)}`, 'more than 254 characters'],
    [ofOctets(255), '255 octets'],
    [`${'ü'.repeat(32)}${ofOctets(255).slice(64)}`, '255 octets in 223 characters'],
    [`${'a'.repeat(64)}@${'bücher.'.repeat(12)}${'x'.repeat(30)}.example`, 'more octets with its domain in punycode'],
  ])('refuses %j: %s', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});

it('treats short ASCII addresses, which it recognises at once, like all others', () => {
  const text = (letters: string) => fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((all) => all.join(''));
  const address = fc.tuple(text('aZ0.-_+ "'), fc.constantFrom('@', '@', '@', '', '@@'), text('aX0.-_nü'));
  fc.assert(
    fc.property(address, fc.constantFrom('', '.com', '.c-d.org', '.xn--p1ai', '.1', '.'), (parts, end) => {
      const email = parts.join('') + end;
      const other = ` ${email}`; // is not recognised at once
      expect([email, isEmailAddress(email), normaliseEmail(email)]).toEqual([
        ...[email, isEmailAddress(other), normaliseEmail(other)],
      ]);
    }),
    { numRuns: budget({ quick: 25, soak: 2_000 }) },
  );
});

describe('An address of 254 octets', () => {
  it.each([ofOctets(254), `${'ü'.repeat(32)}${ofOctets(254).slice(64)}`])('has this maximum length: %s', (email) => {
    expect(Buffer.byteLength(email)).toBe(254);
    expect(isEmailAddress(email)).toBe(true);
  });
});

describe('hasAsciiLocalPart', () => {
  it.each([
    ['ada@example.com', true],
    [' ada@bücher.example ', true],
    ['jürgen@example.com', false],
    ['用户@example.com', false],
  ])('is, for %j, %j', (email, isAscii) => {
    expect(hasAsciiLocalPart(email)).toBe(isAscii);
  });
});

describe('normaliseEmail', () => {
  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
    ['JU\u0308RGEN@example.com', 'jürgen@example.com'],
    ['J\u030Cim@example.com', '\u01F0im@example.com'],
    ['\u01F0im@example.com', '\u01F0im@example.com'],
  ])('compares %j as %j', (email, normalised) => {
    expect(normaliseEmail(email)).toBe(normalised);
  });

  it.each(['ada', 'ada@', 'ada@ex ample.com', 'ada@example.com/x', 'ada@exam\nple.com', 'ada@ex%61mple.com'])(
    'leaves %j, which is no address, as it is',
    (text) => {
      expect(normaliseEmail(` ${text.toUpperCase()} `)).toBe(text);
    },
  );

  it('is idempotent', () => {
    const once = normaliseEmail('Ada@BÜCHER.example');
    expect(normaliseEmail(once)).toBe(once);
  });
});

describe('deliverableEmail', () => {
  it('keeps the local part as given, because its case is the receiving server’s affair', () => {
    expect(deliverableEmail(' Ada.L@Bücher.Example ')).toBe('Ada.L@xn--bcher-kva.example');
  });
});

describe('emailDomain', () => {
  it.each([
    ['ada@Bücher.Example', 'xn--bcher-kva.example'],
    ['ada@mail.example.com ', 'mail.example.com'],
    ['ada', ''],
    ['ada@example.com/x', ''],
  ])('is, for %j, %j', (email, domain) => {
    expect(emailDomain(email)).toBe(domain);
  });
});
