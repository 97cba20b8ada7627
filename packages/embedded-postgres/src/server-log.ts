import { type FileHandle, open, readFile, rm } from 'node:fs/promises';

import type { DataDirectory } from './data-directory.js';

const TAIL_LINES = 20;

/** Opens an empty log, so that the file does not grow with every start. */
export async function openEmptyLog({ log }: DataDirectory): Promise<FileHandle> {
  await rm(log, { force: true });
  return open(log, 'a', 0o600);
}

export async function logTail({ log }: DataDirectory): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n').slice(-TAIL_LINES);
  return `The end of ${log}:\n${lines.join('\n')}`;
}
