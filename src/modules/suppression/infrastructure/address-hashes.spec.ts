import { createHmac } from 'node:crypto';

import { expect, it } from '@jest/globals';

import type { Config } from '../../../config/config.js';
import { deriveKey } from '../../../platform/crypto/aes-secret-box.js';
import { AddressHashes } from './address-hashes.js';

it('hashes addresses with HMAC-SHA-256, differently for each account', () => {
  const appSecret = 'a secret of 32 characters, or more';
  const expected = createHmac('sha256', deriveKey(appSecret, 'erased-addresses')).update('c1 email ada@example.com');
  const hashes = new AddressHashes({ appSecret } as Config);
  expect(hashes.of('c1', 'email', 'ada@example.com')).toBe(`\\x${expected.digest('hex')}`);
  expect(hashes.of('c2', 'email', 'ada@example.com')).not.toBe(hashes.of('c1', 'email', 'ada@example.com'));
});
