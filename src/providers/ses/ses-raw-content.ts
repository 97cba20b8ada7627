import { createHash } from 'node:crypto';

import { TimeSlice } from '../../concurrency/time-slice.js';

/** Larger mails would occupy the event loop for long if the SDK encoded and hashed them as a whole. */
export const STREAMED_FROM_BYTES = 1_048_576;

/** Runs when the SDK has created the request, before it adds the length and signs it. */
export const AFTER_SERIALISATION = { step: 'build', priority: 'high', name: 'streamRawContent' } as const;

interface HttpRequest {
  headers: Record<string, string>;
  body: unknown;
}

/**
 * SDK middleware for SendEmail: the raw content is the mail, which is given as a list of buffers. The body is an
 * iterable, so that it is never in memory as a whole. It is hashed for the signature piece by piece; the signer takes
 * the hash from the header.
 */
export const streamRawContent =
  (mail: readonly Buffer[]) =>
  <Args extends { input: object; request?: unknown }, Answer>(next: (args: Args) => Promise<Answer>) =>
  async (args: Args): Promise<Answer> => {
    const request = args.request as HttpRequest;
    const body = { [Symbol.iterator]: () => requestBody(args.input, mail) };
    const { sha256, length } = await measure(body);
    Object.assign(request.headers, { 'content-length': String(length), 'x-amz-content-sha256': sha256 });
    request.body = body;
    return next(args);
  };

/** The JSON of the API reference v2, SendEmail: the names of its fields are those of the command. */
function* requestBody(input: object, mail: readonly Buffer[]): Generator<string, void> {
  const others = JSON.stringify({ ...input, Content: undefined });
  yield '{"Content":{"Raw":{"Data":"';
  yield* base64Of(mail);
  yield others === '{}' ? '"}}}' : `"}},${others.slice(1)}`;
}

async function measure(pieces: Iterable<string>): Promise<{ sha256: string; length: number }> {
  const hash = createHash('sha256');
  const slice = new TimeSlice();
  let length = 0;
  for (const piece of pieces) {
    if (slice.isOver) await slice.next();
    hash.update(piece);
    length += Buffer.byteLength(piece);
  }
  return { sha256: hash.digest('hex'), length };
}

function* base64Of(parts: readonly Buffer[]): Generator<string, void> {
  let left = Buffer.alloc(0);
  for (const part of parts) {
    const bytes = left.length === 0 ? part : Buffer.concat([left, part]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    left = Buffer.from(bytes.subarray(whole));
  }
  yield left.toString('base64');
}
