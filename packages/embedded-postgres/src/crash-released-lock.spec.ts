import { describe, expect, it } from '@jest/globals';

import { lockAddress, tryLock, waitForLock } from './crash-released-lock.js';

describe('tryLock', () => {
  it('gives a lock to one holder at a time', async () => {
    const name = `spec-${process.pid}-one`;
    const both = await Promise.all([tryLock(name), tryLock(name)]);
    const [held] = both.filter((lock) => lock !== null);
    expect(both.filter((lock) => lock === null)).toHaveLength(1);
    const next = waitForLock(name, 5000);
    await held?.release();
    await (await next).release();
  });

  it('gives up waiting after the limit', async () => {
    const name = `spec-${process.pid}-limit`;
    const held = await tryLock(name);
    await expect(waitForLock(name, 60)).rejects.toThrow('Another process');
    await held?.release();
  });
});

it('has an address on every platform', () => {
  expect(lockAddress('x', 'linux')).toEqual({ path: '\0x' });
  expect(lockAddress('x', 'darwin')).toEqual(lockAddress('x', 'darwin'));
  expect(lockAddress('x', 'darwin').port).toBeGreaterThanOrEqual(20_000);
});
