import { describe, expect, it } from '@jest/globals';

import { ParsedTemplates } from './parsed-templates.js';

describe('ParsedTemplates', () => {
  it('parses a template once and evicts the least recently used one', () => {
    const parsed = new ParsedTemplates();
    const texts = Array.from({ length: 40 }, (_, i) => `{{v${i}}}${'x'.repeat(480_000)}`);
    const first = parsed.parse('html', texts[0]!);
    expect(parsed.parse('html', texts[0]!)).toBe(first);
    for (const text of texts) {
      parsed.parse('html', text);
      expect(parsed.parse('html', texts[0]!)).toBe(first);
    }
    const second = parsed.parse('html', texts[1]!);
    expect(second.names).toEqual(['v1']);
    for (const text of texts.slice(2)) parsed.parse('text', text);
    expect(parsed.parse('html', texts[0]!)).not.toBe(first);
  });

  it('weighs a template by its tokens, too: those with many tags take twenty times as much memory as their text', () => {
    const parsed = new ParsedTemplates();
    const texts = Array.from({ length: 20 }, (_, i) => `${i}${'{{#a}}{{b}}{{/a}}'.repeat(3_333)}`);
    const first = parsed.parse('html', texts[0]!);
    for (const text of texts.slice(1, 4)) parsed.parse('html', text);
    expect(parsed.parse('html', texts[0]!)).toBe(first);
    for (const text of texts.slice(1)) parsed.parse('html', text);
    expect(parsed.parse('html', texts[0]!)).not.toBe(first);
  });

  it('does not use a cached body as a subject', () => {
    const parsed = new ParsedTemplates();
    const long = 'x'.repeat(999);
    parsed.parse('html', long);
    expect(() => parsed.parse('subject', long)).toThrow('subject is longer than 998 characters');
  });
});
