import { describe, expect, it } from '@jest/globals';

import { attributeFaults, attributeKey, mergeAttributes, sizeFault } from './attributes.js';

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key_${i}`, i]));

describe('The attributes of a contact', () => {
  it('are strings, numbers and booleans, or null in a change', () => {
    const value = { city: 'Zürich\nAltstadt', Visits_2: -1.5, vip: false, gone: null, constructor: 'Ltd', empty: '' };
    expect(attributeFaults(value)).toEqual([]);
    expect(attributeFaults(keys(50))).toEqual([]);
  });

  it.each([
    [keys(51), 'attributes must have at most 50 keys'],
    [{ 'a.b': 1 }, 'attributes.a.b must be named by 1 to 40 letters, digits and underscores'],
    [{ '': 1 }, 'attributes. must be named by 1 to 40 letters, digits and underscores'],
    [{ ['x'.repeat(41)]: 1 }, `attributes.${'x'.repeat(41)} must be named by 1 to 40 letters, digits and underscores`],
    [JSON.parse('{"__proto__": 1}'), 'attributes.__proto__ must be named by 1 to 40 letters, digits and underscores'],
    [{ ort: { city: 'Bern' } }, 'attributes.ort must be a string, a number, a boolean or null'],
    [{ list: ['a'] }, 'attributes.list must be a string, a number, a boolean or null'],
    [{ id: 12345678901234567890 }, 'attributes.id is a number that would lose digits: write it as a string'],
    [{ n: NaN }, 'attributes.n is a number that would lose digits: write it as a string'],
    [{ n: 1e400 }, 'attributes.n is a number that would lose digits: write it as a string'],
    [{ note: 'a\0' }, 'attributes.note holds a character that cannot be stored'],
    [{ note: '\ud800' }, 'attributes.note holds a character that cannot be stored'],
  ])('are not %.60j', (value, fault) => {
    expect(attributeFaults(value)).toEqual([fault]);
  });

  it('have at most 4,096 bytes of JSON', () => {
    const empty = Buffer.byteLength('{"a":""}');
    expect(attributeFaults({ a: 'ü'.repeat((4_096 - empty) / 2) })).toEqual([]);
    expect(attributeFaults({ a: `${'ü'.repeat((4_096 - empty) / 2)}x` })).toEqual([
      'attributes would have 4097 bytes of JSON, more than 4096',
    ]);
  });

  it('keep absent keys, and lose those that become null', () => {
    const kept = { city: 'Bern', visits: 3 };
    expect(mergeAttributes(kept, { visits: 4, vip: true })).toEqual({ city: 'Bern', visits: 4, vip: true });
    expect(mergeAttributes(kept, { city: null })).toEqual({ visits: 3 });
    expect(mergeAttributes(kept, { city: null, visits: null })).toBeNull();
    expect(mergeAttributes(kept, null)).toBeNull();
    expect(mergeAttributes(null, { city: null })).toBeNull();
  });

  it.each([[undefined], [{}], [{ city: 'Bern' }], [{ visits: 3, city: 'Bern' }], [{ other: null }]])(
    'stay the same object if %j changes nothing',
    (changes) => {
      const kept = { city: 'Bern', visits: 3 };
      expect(mergeAttributes(kept, changes)).toBe(kept);
    },
  );

  it('differ by type', () => {
    expect(mergeAttributes({ zip: '1' }, { zip: 1 })).toEqual({ zip: 1 });
  });

  it('are limited together with those that a contact has', () => {
    const merged = mergeAttributes(keys(50), { one: 1 });
    expect(sizeFault(merged)).toBe('attributes would have 51 keys, more than 50');
    expect(sizeFault(mergeAttributes(keys(50), { key_0: null, one: 1 }))).toBeNull();
  });

  it('are named by their placeholders', () => {
    expect(attributeKey('attributes.city')).toBe('city');
    for (const name of ['attributes', 'attributes.', 'attributes.a.b', 'attributes.__proto__', 'city', 'xattributes.a'])
      expect(attributeKey(name)).toBeNull();
  });
});
