import { describe, expect, it } from '@jest/globals';

import { readStart } from './read-start.js';

const KB = 1_024;

async function* inChunks(bytes: Uint8Array, size: number, taken: { chunks: number } = { chunks: 0 }) {
  for (let at = 0; at < bytes.length; at += size) {
    taken.chunks += 1;
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

const read = (text: string | Buffer, size = 7) => readStart(inChunks(Buffer.from(text as string), size));

describe('readStart', () => {
  it.each(['', 'ok', 'é'.repeat(512), '😀'.repeat(256)])('keeps %j whole', async (text) => {
    expect(await read(text)).toBe(text);
  });

  it('leaves out a character that does not fit', async () => {
    expect(await read(`a${'😀'.repeat(300)}`)).toBe(`a${'😀'.repeat(255)}`);
    expect(await read('x'.repeat(2_000))).toBe('x'.repeat(KB));
  });

  it('replaces what is not text, and stays within the kilobyte', async () => {
    expect(await read(Buffer.from([0x61, 0xff, 0x00, 0x62, 0xc3]))).toBe('a\ufffd\ufffdb\ufffd');
    const text = await read(Buffer.alloc(5_000, 0xff));
    expect(text).toBe('\ufffd'.repeat(341));
    expect(await read(Buffer.alloc(5_000))).toBe(text);
  });

  it('reads to the end up to 64 kB, and no further than the chunk that passes them', async () => {
    const taken = { chunks: 0 };
    await readStart(inChunks(Buffer.alloc(64 * KB), KB, taken));
    expect(taken.chunks).toBe(64);
    taken.chunks = 0;
    await readStart(inChunks(Buffer.alloc(200 * KB), KB, taken));
    expect(taken.chunks).toBe(65);
  });
});
