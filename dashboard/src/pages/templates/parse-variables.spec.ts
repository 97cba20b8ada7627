import { describe, expect, it } from '@jest/globals';

import { missingNames } from './parse-variables';

describe('missingNames', () => {
  it('are the roots of names without a value, each once', () => {
    expect(missingNames(['firstName', 'order.number', 'order.total', 'city'], { city: '' })).toEqual([
      'firstName',
      'order',
    ]);
  });

  it('are not those of the items of a section', () => {
    const names = ['order.items', 'name', 'price', 'size'];
    expect(missingNames(names, { order: { items: [{ name: 'Tea' }, { price: 3 }] } })).toEqual(['size']);
  });

  it('are not the properties of every object', () => {
    expect(missingNames(['toString', 'constructor'], {})).toEqual(['toString', 'constructor']);
  });
});
