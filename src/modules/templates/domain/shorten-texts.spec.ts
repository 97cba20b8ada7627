import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import mustache, { type TemplateSpans } from 'mustache';

import { budget } from '../../../../test/support/budget.js';
import { parseTemplate } from './parse-template.js';

type Shape = [kind: string, value: string, inner: Shape[]][];

/** Tokens without their positions in the template, which do not affect rendering. */
const shapeOf = (tokens: TemplateSpans): Shape =>
  tokens.map(([kind, value, , , inner]) => [
    kind,
    value,
    Array.isArray(inner) ? shapeOf(inner) : [],
  ]) as unknown as Shape;

const piece = fc.constantFrom(
  ...[
    '\n',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '   ',
    'text',
    'x',
    'x\n',
    '<p>long text</p>',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '{ x',
    'x }',
  ],
  ...['{{a}}', '{{{b}}}', '{{&c}}', '{{! a comment }}', '{{#s}}', '{{/s}}', '{{^s}}', '{{ s.t }}'],
);

const RUNS = budget({ quick: 100, soak: 5_000 });

describe('parseTemplate with shortened texts', () => {
  it('returns the same tokens as mustache, for any text between the tags', () => {
    const templates = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    let parsed = 0;
    fc.assert(
      fc.property(templates, (template) => {
        let expected: TemplateSpans | string;
        try {
          expected = new mustache.Writer().parse(template) as TemplateSpans;
        } catch (error) {
          expected = (error as Error).message;
        }
        if (typeof expected === 'string') {
          expect(() => parseTemplate('html', template)).toThrow();
          if (/section/.test(expected)) expect(() => parseTemplate('html', template)).toThrow(expected);
          return;
        }
        parsed += 1;
        expect(shapeOf(parseTemplate('html', template).tokens)).toEqual(shapeOf(expected));
      }),
      { numRuns: RUNS },
    );
    expect(parsed).toBeGreaterThan(RUNS / 20);
  });

  it('parses long templates', () => {
    for (const text of ['a', 'a\n', ' ', '<p>Dear {{name}},</p>'.padEnd(100)]) {
      const template = text.repeat(Math.floor(500_000 / text.length));
      const { tokens } = parseTemplate('html', template);
      const written = tokens.map(([kind, value]) => (kind === 'text' ? value : `{{${value}}}`)).join('');
      expect(written).toBe(template);
    }
  });

  it('refuses more than 10,000 tags', () => {
    expect(() => parseTemplate('html', '{{a}}'.repeat(10_001))).toThrow('html has more than 10000 tags');
  });
});
