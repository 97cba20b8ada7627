import { expect, it } from '@jest/globals';

import { loadEnglish } from '../texts/load-english';
import { formatDuration } from './duration';

loadEnglish();

it.each([
  [0, '0 ms'],
  [340, '340 ms'],
  [1_000, '1 s'],
  [4_240, '4.2 s'],
  [9_990, '10 s'],
  [60_000, '1 min'],
  [185_400, '3 min 5 s'],
  [3_600_000, '1 h'],
  [100_000_000, '1 d 3 h'],
])('writes %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
