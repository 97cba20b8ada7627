import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';

import { ReplyReader } from './reply-reader.js';

const KB = 1_024;

class Controller implements Dispatcher.DispatchController {
  readonly paused = false;
  reason: Error | null = null;

  get aborted(): boolean {
    return this.reason !== null;
  }
  abort(reason: Error): void {
    this.reason ??= reason;
  }
  pause(): void {}
  resume(): void {}
}

/** The callbacks of undici for a response with this body; none after it is aborted. */
async function take(body: string | Buffer, size = 7) {
  const [reader, controller] = [new ReplyReader(), new Controller()];
  const bytes = Buffer.from(body as string);
  let chunks = 0;
  reader.onRequestStart(controller);
  reader.onResponseStart(controller, 200, {});
  for (let at = 0; at < bytes.length && !controller.aborted; at += size) {
    chunks += 1;
    reader.onResponseData(controller, bytes.subarray(at, at + size));
  }
  if (controller.reason) reader.onResponseError(controller, controller.reason);
  else reader.onResponseEnd();
  return { chunks, reply: await reader.reply };
}

const read = async (body: string | Buffer) => (await take(body)).reply.body;

describe('ReplyReader', () => {
  it.each(['', 'ok', 'é'.repeat(512), '😀'.repeat(256)])('keeps %j whole', async (text) => {
    expect(await read(text)).toBe(text);
  });

  it('drops a character that does not fit', async () => {
    expect(await read(`a${'😀'.repeat(300)}`)).toBe(`a${'😀'.repeat(255)}`);
    expect(await read('x'.repeat(2_000))).toBe('x'.repeat(KB));
  });

  it('replaces invalid bytes, and stays within a kilobyte', async () => {
    expect(await read(Buffer.from([0x61, 0xff, 0x00, 0x62, 0xc3]))).toBe('a\ufffd\ufffdb\ufffd');
    const text = await read(Buffer.alloc(5_000, 0xff));
    expect(text).toBe('\ufffd'.repeat(341));
    expect(await read(Buffer.alloc(5_000))).toBe(text);
  });

  it('reads to the end up to 64 kB, and no further than the chunk that exceeds them', async () => {
    expect((await take(Buffer.alloc(64 * KB), KB)).chunks).toBe(64);
    expect(await take(Buffer.alloc(200 * KB), KB)).toMatchObject({ chunks: 65, reply: { statusCode: 200 } });
  });

  it('keeps the status and headers of the last of several', async () => {
    const [reader, controller] = [new ReplyReader(), new Controller()];
    reader.onResponseStart(controller, 103, { link: '</style.css>' });
    reader.onResponseStart(controller, 503, { 'retry-after': ['7', '8'] });
    reader.onResponseEnd();
    expect(await reader.reply).toEqual({
      statusCode: 503,
      retryAfter: '7',
      headers: { 'retry-after': '7, 8' },
      body: '',
    });
  });

  it('aborts a request that gets its connection afterwards', async () => {
    const [reader, controller, reason] = [new ReplyReader(), new Controller(), new Error('too late')];
    reader.abort(reason);
    await expect(reader.reply).rejects.toBe(reason);
    expect(() => {
      reader.throwIfAborted();
    }).toThrow(reason);
    reader.onRequestStart(controller);
    expect(controller.reason).toBe(reason);
  });
});
