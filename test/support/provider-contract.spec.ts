import { expect, it } from '@jest/globals';

import { absent, partOf } from './provider-contract.js';

it('The contract of providers fails for what a rig neither has nor states to be absent, with a reason', () => {
  const part = () => 'thrown';
  expect(partOf(part, 'throttles')).toBe(part);
  expect(partOf(absent('it takes everything'), 'throttles')).toBeNull();
  expect(() => partOf(undefined, 'throttles')).toThrow('neither has "throttles"');
  expect(() => partOf(absent(''), 'throttles')).toThrow('does not say why');
  expect(() => partOf(absent('no'), 'throttles')).toThrow('does not say why');
});
