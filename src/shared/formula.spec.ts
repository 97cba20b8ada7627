import { describe, expect, it } from '@jest/globals';

import { escapeFormula, unescapeFormula } from './formula.js';

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
