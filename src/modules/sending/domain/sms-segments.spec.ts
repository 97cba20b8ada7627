import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { MAX_SMS_SEGMENTS } from '../../../config/limits.js';
import { budget } from '../../../../test/support/budget.js';
import { segmentSms } from './sms-segments.js';

/** The rows of the table in GSM 03.38 / 3GPP TS 23.038 §6.2.1, without the escape. */
const ALPHABET = [
  '@£$¥èéùìòÇ\nØø\rÅå',
  'Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ',
  ' !"#¤%&\'()*+,-./',
  '0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNO',
  'PQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmno',
  'pqrstuvwxyzäöñüà',
].join('');
/** §6.2.1.1: characters of two septets. */
const EXTENSION = '\f^{}\\[~]|€';

const family = '👨‍👩‍👧‍👦'; // 11 units
const flag = '🇩🇪'; // 4 units
const accented = 'e\u0301'; // 2 units
const gsm7 = (segments: number) => ({ segments, encoding: 'gsm7', ucs2Characters: [] });
const ucs2 = (segments: number) => expect.objectContaining({ segments, encoding: 'ucs2' });

describe('segmentSms', () => {
  it('encodes each of the 127 GSM-7 characters in GSM-7, alone and 160 times', () => {
    expect(new Set(ALPHABET).size).toBe(127);
    for (const character of ALPHABET) {
      expect([character, segmentSms(character)]).toEqual([character, gsm7(1)]);
      expect([character, segmentSms(character.repeat(160))]).toEqual([character, gsm7(1)]);
      expect([character, segmentSms(character.repeat(161))]).toEqual([character, gsm7(2)]);
    }
    expect(segmentSms(ALPHABET)).toEqual(gsm7(1));
  });

  it('counts each extension character as two', () => {
    for (const character of EXTENSION) {
      expect([character, segmentSms(character.repeat(80))]).toEqual([character, gsm7(1)]);
      expect([character, segmentSms(character.repeat(81))]).toEqual([character, gsm7(2)]);
      expect([character, segmentSms('a'.repeat(158) + character)]).toEqual([character, gsm7(1)]);
      expect([character, segmentSms('a'.repeat(159) + character)]).toEqual([character, gsm7(2)]);
    }
  });

  it.each(['`', 'ç', 'á', '“', '’', '–', '…', '\t', 'ş', 'Ж', '中', '\u00a0', '\u200b'])(
    'needs UCS-2 for %j and reports the character',
    (character) => {
      expect(segmentSms(`a${character}b${character}`)).toEqual({
        segments: 1,
        encoding: 'ucs2',
        ucs2Characters: [character],
      });
    },
  );

  it.each([
    ['a', 1, 1],
    ['a', 160, 1],
    ['a', 161, 2],
    ['a', 306, 2],
    ['a', 307, 3],
    ['a', 1_530, MAX_SMS_SEGMENTS],
    ['a', 1_531, MAX_SMS_SEGMENTS + 1],
    ['€', 153, 3], // 76 whole ones in 153 septets
    ['€', 152, 2],
    ['€', 760, MAX_SMS_SEGMENTS],
    ['€', 761, MAX_SMS_SEGMENTS + 1],
  ])('GSM-7: %s repeated %d times takes %d', (character, count, segments) => {
    expect(segmentSms(character.repeat(count))).toEqual(gsm7(segments));
  });

  it.each([
    ['ж', 70, 1],
    ['ж', 71, 2],
    ['ж', 134, 2],
    ['ж', 135, 3],
    ['ж', 670, MAX_SMS_SEGMENTS],
    ['ж', 671, MAX_SMS_SEGMENTS + 1],
    ['🎉', 35, 1],
    ['🎉', 36, 2], // 33 whole ones in 67 units
    ['🎉', 66, 2],
    ['🎉', 67, 3],
    ['🎉', 330, MAX_SMS_SEGMENTS],
    ['🎉', 331, MAX_SMS_SEGMENTS + 1],
    [accented, 35, 1],
    [accented, 66, 2],
    [accented, 67, 3],
    [flag, 17, 1],
    [flag, 32, 2], // 16 whole ones in 67 units
    [flag, 33, 3],
    [family, 6, 1],
    [family, 12, 2], // 6 whole ones in 67 units
    [family, 13, 3],
  ])('UCS-2: %s repeated %d times takes %d', (character, count, segments) => {
    expect(segmentSms(character.repeat(count))).toEqual(ucs2(segments));
  });

  it('splits no escape, emoji or accented letter between two segments', () => {
    expect(segmentSms('a'.repeat(152) + '€' + 'a'.repeat(151))).toEqual(gsm7(2)); // 152, then 2 + 151
    expect(segmentSms('a'.repeat(152) + '€' + 'a'.repeat(152))).toEqual(gsm7(3));
    expect(segmentSms('a'.repeat(151) + '€' + 'a'.repeat(153))).toEqual(gsm7(2));
    for (const character of ['🎉', accented]) {
      expect(segmentSms('ж'.repeat(66) + character + 'ж'.repeat(65))).toEqual(ucs2(2)); // 66, then 2 + 65
      expect(segmentSms('ж'.repeat(66) + character + 'ж'.repeat(66))).toEqual(ucs2(3));
      expect(segmentSms('ж'.repeat(65) + character + 'ж'.repeat(67))).toEqual(ucs2(2));
    }
  });

  it('keeps combining marks with their letter, which may take one segment more than composed text', () => {
    const decomposed = 'e\u0301'.repeat(335);
    expect(segmentSms(decomposed)).toEqual(ucs2(MAX_SMS_SEGMENTS + 1));
    expect(segmentSms(decomposed.normalize('NFC'))).toEqual(gsm7(3));
  });

  it('counts a GSM-7 character as one unit in UCS-2', () => {
    expect(segmentSms('€'.repeat(69) + 'ж')).toEqual(ucs2(1));
    expect(segmentSms('€'.repeat(70) + 'ж')).toEqual(ucs2(2));
  });

  it('counts a line break of two characters as two', () => {
    expect(segmentSms('\r\n'.repeat(80))).toEqual(gsm7(1));
    expect(segmentSms('\r\n'.repeat(81))).toEqual(gsm7(2));
  });

  it('counts a letter with more accents than fit into a segment', () => {
    expect(segmentSms('e' + '\u0301'.repeat(69))).toEqual(ucs2(1));
    expect(segmentSms('e' + '\u0301'.repeat(200))).toEqual(ucs2(3));
  });

  it('agrees with a simple count for any text of single units', () => {
    const character = fc.constantFrom(...ALPHABET, ...EXTENSION, 'ж', '中', '’');
    fc.assert(
      fc.property(fc.array(character, { minLength: 1, maxLength: 400 }), (characters) => {
        const text = characters.join('').replaceAll('\r\n', '\n');
        const { segments, encoding } = segmentSms(text);
        expect({ segments, encoding }).toEqual(countPlainly([...text]));
      }),
      { numRuns: budget({ quick: 25, soak: 500 }) },
    );
  });
});

function countPlainly(characters: string[]): { segments: number; encoding: string } {
  const isGsm7 = characters.every((character) => ALPHABET.includes(character) || EXTENSION.includes(character));
  const sizes = characters.map((character) => (isGsm7 && EXTENSION.includes(character) ? 2 : 1));
  const [alone, joined] = isGsm7 ? [160, 153] : [70, 67];
  const encoding = isGsm7 ? 'gsm7' : 'ucs2';
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return { segments: 1, encoding };
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > joined) [segments, used] = [segments + 1, 0];
    used += size;
  }
  return { segments, encoding };
}
