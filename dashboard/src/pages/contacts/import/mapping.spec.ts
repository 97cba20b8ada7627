import { describe, expect, it } from '@jest/globals';

import { attributesOf, toRequest } from './mapping';

const keysOf = (columns: string[], known: string[] = []) =>
  [...attributesOf(columns, known).keys()].map((name) => name.replace('attributes.', ''));

describe('The attributes of an import', () => {
  it('have names in lower case, as placeholders are written', () => {
    expect(keysOf(['City', 'Shoe size', 'ZIP/Postal'])).toEqual(['city', 'shoe_size', 'zip_postal']);
  });

  it('have the name that contacts use, whatever its case', () => {
    expect(keysOf(['city', 'SHOE SIZE'], ['City', 'Shoe_Size'])).toEqual(['City', 'Shoe_Size']);
    expect(keysOf(['City'], ['CITY', 'city'])).toEqual(['city']);
  });

  it('have names of their own, and that of a column which is named like an attribute', () => {
    expect(keysOf(['City', 'city', 'attributes.City', '…'])).toEqual(['city', 'city_2', 'City', 'column']);
  });

  it('are part of the request, with null for a column that is not to become one', () => {
    const header = ['E-mail', 'City', 'attributes.old'];
    expect(toRequest({ email: 'E-mail' }, attributesOf(['City'], []), header)).toEqual({
      email: 'E-mail',
      'attributes.city': 'City',
      'attributes.old': null,
    });
  });
});
