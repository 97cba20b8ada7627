import { describe, expect, it } from '@jest/globals';

import { changesTo, rebase, rowsOf } from './attributes';

describe('the attributes of a form', () => {
  const former = { zip: '10115', visits: 3, vip: true, city: 'Berlin' };

  it('are sorted, and change nothing as they are', () => {
    expect(rowsOf(former).map(({ key }) => key)).toEqual(['city', 'vip', 'visits', 'zip']);
    expect(changesTo(rowsOf(former), former)).toEqual({});
  });

  it('become what was changed, and null for what was removed', () => {
    const rows = [
      { key: 'zip', text: '10117' },
      { key: 'visits', text: '4' },
      { key: ' constructor ', text: 'false' },
      { key: '', text: 'nothing' },
      { key: 'vip', text: 'true' },
    ];
    expect(changesTo(rows, former)).toEqual({ zip: '10117', visits: 4, constructor: false, city: null });
  });

  it('keep what was edited when others have changed the contact', () => {
    const shown = [
      { key: 'visits', text: '4' },
      { key: 'vip', text: 'true' },
      { key: '', text: 'typing' },
    ];
    const base = rowsOf({ city: 'Bern', visits: 3, vip: true });
    const stored = rowsOf({ city: 'Basel', visits: 9, vip: false, zip: 1 });
    const rows = rebase(base, shown, stored);
    expect(rows).toEqual([
      { key: 'vip', text: 'false' },
      { key: 'zip', text: '1' },
      { key: 'visits', text: '4' },
      { key: '', text: 'typing' },
    ]);
    expect(changesTo(rows, { city: 'Basel', visits: 9, vip: false, zip: 1 })).toEqual({ city: null, visits: 4 });
  });

  it.each([
    ['42', 42],
    ['-1.5', -1.5],
    ['007', '007'],
    ['1e3', '1e3'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', true],
    ['True', 'True'],
    ['', ''],
  ])('reads the new text %j as %j', (text, value) => {
    expect(changesTo([{ key: 'a', text }])).toEqual({ a: value });
  });
});
