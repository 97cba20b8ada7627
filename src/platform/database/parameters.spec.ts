import { describe, expect, it } from '@jest/globals';

import { containsAny } from './contains-any.js';
import { containing, Parameters } from './parameters.js';

describe('Parameters', () => {
  it('number their placeholders after the first values', () => {
    const parameters = new Parameters('account', 25);
    expect([parameters.add('a'), parameters.add('b')]).toEqual(['$3', '$4']);
    expect(parameters.values).toEqual(['account', 25, 'a', 'b']);
  });
});

describe('containing', () => {
  it('escapes the wildcards of LIKE', () => {
    expect(containing('50%_\\')).toBe('%50\\%\\_\\\\%');
  });
});

describe('containsAny', () => {
  it('matches one or several terms', () => {
    const parameters = new Parameters();
    expect(containsAny(parameters, 'name', ['ada'])).toBe('name LIKE lower($1)');
    expect(containsAny(parameters, 'name', ['b', 'c'])).toBe('(name LIKE lower($2) OR name LIKE lower($3))');
    expect(parameters.values).toEqual(['%ada%', '%b%', '%c%']);
  });
});
