import { describe, expect, it } from '@jest/globals';

import { isolate } from './isolate';

const visible = (text: string): string =>
  text.replaceAll('\u2068', '[').replaceAll('\u2069', ']').replaceAll('\u202e', '<');

describe('isolate', () => {
  it.each(['Newsletter', 'Ängström & Co. <b>', '日本語', '🎉', ''])('leaves %j as it is', (value) => {
    expect(isolate(value)).toBe(value);
  });

  it.each([
    ['with an override', 'a\u202eb', '[a<b]'],
    ['in Hebrew', 'שלום', '[שלום]'],
    ['in Arabic', 'مرحبا', '[مرحبا]'],
    ['that ends the isolate', 'a\u2069\u202eb', '[[a]<b]]'],
  ])('encloses a value %s', (_, value, isolated) => {
    expect(visible(isolate(value))).toBe(isolated);
  });
});
