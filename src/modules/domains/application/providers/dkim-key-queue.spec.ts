import { describe, expect, it } from '@jest/globals';

import { MAX_UNVERIFIED_DOMAINS } from '../../../../config/limits.js';
import type { DkimKey } from '../../domain/dkim-key.js';
import { DkimKeyQueue } from './dkim-key-queue.js';

const KEY: DkimKey = { selector: 'ds', publicKey: 'public', sealedKey: 'sealed' };

describe('DkimKeyQueue', () => {
  function setUp() {
    const started: string[] = [];
    const finish: (() => void)[] = [];
    const queue = new DkimKeyQueue((id) => {
      started.push(id);
      return new Promise((resolve) => {
        finish.push(() => {
          resolve(KEY);
        });
      });
    });
    const finishNext = async () => {
      finish.shift()?.();
      await new Promise(setImmediate);
    };
    return { queue, started, finishNext };
  }

  it('generates one key at a time, the accounts taking turns', async () => {
    const { queue, started, finishNext } = setUp();
    const ids = ['a1', 'a2', 'a3', 'b1'];
    const keys = Promise.all(ids.map((id) => queue.generateFor({ accountId: id.slice(0, 1), id })));
    await new Promise(setImmediate);
    expect(started).toEqual(['a1']);
    for (let n = 1; n <= ids.length; n++) {
      expect(started).toHaveLength(n);
      await finishNext();
    }
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(await keys).toEqual(ids.map(() => KEY));
  });

  it('refuses an account that has too many waiting', async () => {
    const { queue } = setUp();
    for (let n = 0; n <= MAX_UNVERIFIED_DOMAINS; n++) void queue.generateFor({ accountId: 'a', id: `a${n}` });
    await expect(queue.generateFor({ accountId: 'a', id: 'one more' })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('continues after a key that could not be generated', async () => {
    let fails = true;
    const queue = new DkimKeyQueue(() => (fails ? Promise.reject(new Error('no entropy')) : Promise.resolve(KEY)));
    await expect(queue.generateFor({ accountId: 'a', id: 'a1' })).rejects.toThrow('no entropy');
    fails = false;
    expect(await queue.generateFor({ accountId: 'a', id: 'a2' })).toEqual(KEY);
  });
});
