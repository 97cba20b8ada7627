import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { isEmailAddress, normaliseEmail } from './email-address.js';
import { addressSearchTerms, searchTerms } from './search-terms.js';

describe('addressSearchTerms', () => {
  it.each([
    ['Example.org', ['example.org']],
    ['bücher', ['bücher', 'xn--bcher-kva']],
    ['BU\u0308CHER', ['bücher', 'xn--bcher-kva']],
    ['@bücher.example', ['@bücher.example', '@xn--bcher-kva.example']],
    ['jürgen@bücher', ['jürgen@bücher', 'jürgen@xn--bcher-kva']],
    ['1234.bücher', ['1234.bücher', '1234.xn--bcher-kva']],
    ['xn--bcher-kva.example', ['xn--bcher-kva.example']],
    ['ü/ber', ['ü/ber']],
    ['.ü.', ['.ü.', '.xn--tda.']],
  ])('of %s are %j', (search, terms) => {
    expect(addressSearchTerms(search)).toEqual(terms);
  });

  it('hold the stored form of every address', () => {
    const letters = [...'aZ0.-_@üßǰJ\u030C\u0308I\u0130ΣΟςé'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 12 }), (characters) => {
        const address = `${characters.join('')}@b\u0308ücher.example`;
        fc.pre(isEmailAddress(address));
        expect(addressSearchTerms(address)).toContain(normaliseEmail(address));
      }),
    );
  });
});

describe('searchTerms', () => {
  it.each([
    ['Ada', ['Ada']],
    ['bücher', ['bücher', 'bu\u0308cher', 'xn--bcher-kva']],
    ['bu\u0308cher', ['bücher', 'bu\u0308cher', 'xn--bcher-kva']],
    ['xn--bcher-kva.example', ['xn--bcher-kva.example', 'bücher.example', 'bu\u0308cher.example']],
    ['Übersicht März', ['Übersicht März', 'U\u0308bersicht Ma\u0308rz']],
  ])('of %s are %j', (search, terms) => {
    expect(searchTerms(search)).toEqual(terms);
  });
});
