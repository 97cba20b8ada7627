import { describe, expect, it } from '@jest/globals';

import type { ClaimedMessage, MessageGroups } from '../../messages/index.js';
import { StoppingError } from '../domain/submission-refused.js';
import { CompleteMessage } from './complete-message.service.js';

const MESSAGE = { id: 'm1', accountId: 'a1', groupId: null, hasAttachments: true } as ClaimedMessage;
/** Encoded, two of them are more than an account's share. */
const BYTES = 12_000_000;

function fakeGroups({ missing = 0 } = {}) {
  const entry = { number: 1, filename: 'a.bin', contentType: 'application/octet-stream', contentId: null, size: BYTES };
  const groups = {
    reads: 0,
    files: () => Promise.resolve({ sourceSize: null, attachments: [entry] }),
    readAll: (_accountId: string, _groupId: string, onPart: (number: number, bytes: Buffer) => void) => {
      groups.reads += 1;
      onPart(1, Buffer.alloc(BYTES - missing));
      return Promise.resolve();
    },
  };
  return groups;
}

describe('CompleteMessage', () => {
  it('ends the wait for memory when the process stops, and reads nothing', async () => {
    const groups = fakeGroups();
    const complete = new CompleteMessage(groups as unknown as MessageGroups);
    const stop = new AbortController();
    let finish: () => void = () => undefined;
    const sending = complete.completed(MESSAGE, stop.signal, () => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = complete.completed(MESSAGE, stop.signal, () => Promise.reject(new Error('It was sent')));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(waiting).rejects.toThrow(StoppingError);
    expect(groups.reads).toBe(1);
    finish();
    await sending;
  });

  it('does not send files of which bytes are missing', async () => {
    const complete = new CompleteMessage(fakeGroups({ missing: 1 }) as unknown as MessageGroups);
    const sending = complete.completed(MESSAGE, new AbortController().signal, () => Promise.resolve('sent'));
    await expect(sending).rejects.toThrow('Its attachments are no longer kept');
  });

  it('gives the memory back after a failure', async () => {
    const complete = new CompleteMessage(fakeGroups() as unknown as MessageGroups);
    const { signal } = new AbortController();
    const failing = () => complete.completed(MESSAGE, signal, () => Promise.reject(new Error('451')));
    await expect(failing()).rejects.toThrow('451');
    await expect(failing()).rejects.toThrow('451');
    expect(await complete.completed(MESSAGE, signal, () => Promise.resolve('sent'))).toBe('sent');
  });
});
