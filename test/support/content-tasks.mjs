/** A program for content threads with tasks that misbehave. */
import { threadId } from 'node:worker_threads';

import { importTypeScript } from './import-typescript.mjs';

const { serveContentTasks } = await importTypeScript('../../src/concurrency/content-threads.ts');
const { DomainError } = await importTypeScript('../../src/shared/domain-error.ts');

/** Waits, and occupies the thread, until the number is not zero. */
const wait = (gate) => Atomics.wait(gate, 0, 0);

function hoard() {
  const kept = [];
  for (;;) kept.push(Array.from({ length: 1_000 }, (_, n) => ({ n })));
}

const TASKS = {
  thread: () => threadId,
  wait,
  spin: () => {
    for (;;);
  },
  hoard,
  exit: () => process.exit(),
  fail: () => {
    throw new TypeError('A fault');
  },
  refuse: () => {
    throw DomainError.invalid('html is not good', 'not_good');
  },
  reverse: (bytes) => new Uint8Array(bytes.buffer).reverse(),
};

serveContentTasks(Object.entries(TASKS).map(([name, run]) => ({ name, run })));
