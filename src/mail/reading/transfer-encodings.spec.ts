import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { encode, wrap } from 'nodemailer/lib/qp';

import { decodeInPlace, decodeQuotedPrintable, isWholeBase64 } from './transfer-encodings.js';

describe('Transfer encodings', () => {
  it.each([0, 1, 2, 3, 1_000, 300_000])('decode %i bytes of base64 in lines of any length', (size) => {
    const bytes = randomBytes(size);
    const encoded = bytes.toString('base64');
    for (const length of [76, 75, 61, encoded.length || 1]) {
      const lines = encoded.replace(new RegExp(`.{${length}}`, 'g'), '$&\r\n');
      expect(decodeInPlace(Buffer.from(`${lines}\r\n`), 'base64').equals(bytes)).toBe(true);
    }
  });

  it('ignore what is no base64, and what follows its end', () => {
    expect(decodeInPlace(Buffer.from('*QU*JD\r\n!RA==QUJD'), 'base64').toString()).toBe('ABCD');
    expect(decodeInPlace(Buffer.from('*!'), 'base64').length).toBe(0);
  });

  it.each([
    ['QUJD', true],
    ['QUI=\r\n', true],
    ['QU JD\r\n\tQUI', true],
    ['', true],
    ['QUI=QUJD', false],
    ['QUJD\r\n-- \r\nA list', false],
    ['QUJDR', false],
    [`${'QUJD'.repeat(20_000)}Q===`, false],
    [`${'QUJD'.repeat(20_000)}QQ==\r\n${'QUJD'.repeat(20_000)}`, false],
  ])('know whether base64 can be decoded without a loss: %.20j', (encoded, isWhole) => {
    expect(isWholeBase64(Buffer.from(encoded))).toBe(isWhole);
  });

  it('decode quoted-printable, in slices too', () => {
    const text = 'Grüße = 1\t\r\n'.repeat(20_000);
    const encoded = Buffer.from(wrap(encode(text)));
    expect(decodeInPlace(Buffer.from(encoded), 'quoted-printable').toString()).toBe(text);
    expect(decodeQuotedPrintable(encoded).toString()).toBe(text);
  });

  it.each([
    ['a=3D=3d=C3=A4', 'a==ä'],
    ['soft= \t\r\nbreak=\r\n', 'softbreak'],
    ['=ZZ =4', '=ZZ =4'],
    ['end=', 'end'],
  ])('decode %j', (encoded, text) => {
    expect(decodeQuotedPrintable(Buffer.from(encoded)).toString()).toBe(text);
  });

  it('leave other encodings alone', () => {
    expect(decodeInPlace(Buffer.from('=41'), '8bit').toString()).toBe('=41');
  });
});
