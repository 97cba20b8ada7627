import { threadId } from 'node:worker_threads';

import { describe, expect, it } from '@jest/globals';

import { waitFor } from '../../test/support/wait-for.js';
import { type ContentTask, ContentThreads } from './content-threads.js';

const PROGRAM = new URL('../../test/support/content-tasks.mjs', import.meta.url);
const LIMITS = { threads: 2, taskMs: 60_000, heapMb: 64, idleMs: 60_000 };

const task = <Input, Output>(name: string): ContentTask<Input, Output> => ({
  name,
  subject: 'html',
  run: () => threadId as Output,
});
const [SMALL, LARGE] = [
  { accountId: 'account', size: 1_000 },
  { accountId: 'account', size: 1_000_000 },
];
const THREAD = task<null, number>('thread');
const threadsWith = (limits: Partial<typeof LIMITS> = {}) => new ContentThreads(PROGRAM, { ...LIMITS, ...limits });

describe('ContentThreads', () => {
  it('runs a task with a small input at once, and one with a large input in a thread, which is used again', async () => {
    const threads = threadsWith();
    expect(await threads.run(THREAD, null, SMALL)).toBe(threadId);
    const other = await threads.run(THREAD, null, LARGE);
    expect(other).not.toBe(threadId);
    expect(await threads.run(THREAD, null, LARGE)).toBe(other);
  });

  it('refuses what takes too long, naming it, and goes on with another thread', async () => {
    const threads = threadsWith({ taskMs: 1_000 });
    const message = 'html cannot be processed: it takes more than 1 seconds';
    await expect(threads.run(task('spin'), null, LARGE)).rejects.toMatchObject({ kind: 'invalid', message });
    expect(await threads.run(THREAD, null, LARGE)).not.toBe(threadId);
  });

  it('refuses what takes too much memory, naming it, and goes on with another thread', async () => {
    const threads = threadsWith();
    const message = 'html cannot be processed: it takes more than 64 MB of memory';
    await expect(threads.run(task('hoard'), null, LARGE)).rejects.toMatchObject({ kind: 'invalid', message });
    expect(await threads.run(THREAD, null, LARGE)).not.toBe(threadId);
  });

  it('says that a lost thread makes no difference later, and goes on with another one', async () => {
    const threads = threadsWith();
    await expect(threads.run(task('exit'), null, LARGE)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await threads.run(THREAD, null, LARGE)).not.toBe(threadId);
  });

  it('throws what the task throws, refusals with their kind and code', async () => {
    const threads = threadsWith();
    await expect(threads.run(task('fail'), null, LARGE)).rejects.toThrow(new TypeError('A fault'));
    const refusal = { kind: 'invalid', code: 'not_good', message: 'html is not good' };
    await expect(threads.run(task('refuse'), null, LARGE)).rejects.toMatchObject(refusal);
  });

  it('moves buffers to the thread and back', async () => {
    const bytes = Uint8Array.from([1, 2, 3]);
    const options = { ...LARGE, transfer: [bytes.buffer] };
    const reversed = await threadsWith().run(task<Uint8Array, Buffer>('reverse'), bytes, options);
    expect(reversed).toEqual(Buffer.from([3, 2, 1]));
    expect(bytes).toHaveLength(0);
  });

  it('leaves a thread to the others, however much an account has to do', async () => {
    const threads = threadsWith();
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const waiting = Array.from({ length: 5 }, () => threads.run(task('wait'), gate, LARGE));
    expect(await threads.run(THREAD, null, { ...LARGE, accountId: 'other' })).not.toBe(threadId);
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await Promise.all(waiting);
  });

  it('ends threads that have nothing to do', async () => {
    const threads = threadsWith({ idleMs: 1 });
    const first = await threads.run(THREAD, null, LARGE);
    await waitFor('another thread', async () => (await threads.run(THREAD, null, LARGE)) !== first);
  });
});
