import { expect, it } from '@jest/globals';

import { mentionPattern } from './mention-pattern.js';

it('escapes every character that has a meaning in a regular expression', () => {
  expect(mentionPattern('a.b+c@x-y.example')).toBe(
    '(?<![[:alnum:]._%+-])a\\.b\\+c\\@x\\-y\\.example(?![[:alnum:]_-]|\\.[[:alnum:]])',
  );
});
