import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { waitFor } from '../../../test/support/wait-for.js';
import { DirectoryLock } from './directory-lock.js';

const TIMES = { heartbeatMs: 20, silentMs: 2_000, settleMs: 100 };

describe('The lock of a directory', () => {
  let directory: string;
  let file: string;
  let held: DirectoryLock[];
  let lost: string[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'directory-lock-spec-'));
    file = join(directory, 'lock');
    [held, lost] = [[], []];
  });
  afterEach(async () => {
    for (const lock of held) await lock.release();
    await rm(directory, { recursive: true });
  });

  const take = async (place: string) => {
    const lock = await DirectoryLock.take(file, { place, times: TIMES, onLost: () => lost.push(place) });
    held.push(lock);
    return lock;
  };
  const leaveBehind = (place: string) => writeFile(file, JSON.stringify({ id: 'x', host: 'gone', place }));

  it('is refused in another place while its holder lives, and given when that has released it', async () => {
    const lock = await take('here');
    await expect(take('there')).rejects.toThrow('Another container or host');
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
    await take('there');
    expect(await readdir(directory)).toEqual(['lock']);
  });

  it('is taken over at once in the place of its dead holder, and elsewhere after a silence', async () => {
    await leaveBehind('here');
    const silence = { ...TIMES, silentMs: 2 ** 31 - 1 };
    held.push(await DirectoryLock.take(file, { place: 'here', times: silence, onLost: () => undefined }));
    await held.pop()!.release();
    await leaveBehind('here');
    await take('there');
    await writeFile(join(directory, 'empty'), '');
    held.push(
      await DirectoryLock.take(join(directory, 'empty'), { place: 'here', times: TIMES, onLost: () => undefined }),
    );
  });

  it('goes to one of several that take it over together', async () => {
    await leaveBehind('gone');
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(take));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('reports a holder that it was taken from', async () => {
    const lock = await take('here');
    await leaveBehind('there');
    await waitFor('the report', () => lost.length > 0);
    await lock.release();
    expect(await readdir(directory)).toEqual(['lock']);
  });
});
