import { createHmac, randomBytes } from 'node:crypto';

import { expect, it } from '@jest/globals';

import { AddressHashes } from './address-hashes.js';

it('hashes addresses with HMAC-SHA-256, differently for each account', () => {
  const erasedAddresses = randomBytes(32);
  const expected = createHmac('sha256', erasedAddresses).update('c1 email ada@example.com');
  const hashes = new AddressHashes({ erasedAddresses });
  expect(hashes.hash('c1', 'email', 'ada@example.com')).toBe(`\\x${expected.digest('hex')}`);
  expect(hashes.hash('c2', 'email', 'ada@example.com')).not.toBe(hashes.hash('c1', 'email', 'ada@example.com'));
});
