import { describe, expect, it } from '@jest/globals';

import { escapeFormula, mentionPattern, unescapeFormula } from './text.js';

describe('Formulas', () => {
  it.each(['=1+1', '+14155550100', '-1', '@SUM(A1)', '\tx', '\rx', '＝1'])('are escaped and restored: %j', (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`);
    expect(unescapeFormula(escapeFormula(text))).toBe(text);
  });

  it.each(['Ada', '', "'Ada", "O'Hara", '1+1'])('are not seen in %j', (text) => {
    expect(escapeFormula(text)).toBe(text);
    expect(unescapeFormula(text)).toBe(text);
  });
});

it('escapes every character that has a meaning in a regular expression', () => {
  expect(mentionPattern('a.b+c@x-y.example')).toBe(
    '(?<![[:alnum:]._%+-])a\\.b\\+c\\@x\\-y\\.example(?![[:alnum:]_-]|\\.[[:alnum:]])',
  );
});
