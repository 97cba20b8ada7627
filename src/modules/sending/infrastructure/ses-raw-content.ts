import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { TimeSlice } from '../../../shared/time-slice.js';

/** Larger mails would occupy the event loop for long if the SDK encoded and hashed them as a whole. */
export const STREAMED_FROM_BYTES = 1_048_576;
const SLICE_MS = 3;

/** Takes the place of the mail in the request that the SDK builds. */
export const RAW_PLACEHOLDER = Buffer.from('the mail, which is streamed');
const ENCODED_PLACEHOLDER = RAW_PLACEHOLDER.toString('base64');

/** After the serialisation of the request, and within the step that would repeat it. */
export const BEFORE_SIGNING = {
  relation: 'before',
  toMiddleware: 'httpSigningMiddleware',
  name: 'streamRawContent',
} as const;

interface HttpRequest {
  headers: Record<string, string>;
  body: unknown;
}

/**
 * SDK middleware for SendEmail: streams the mail, which is given as a list of buffers, instead of the placeholder. The
 * body is hashed for the signature piece by piece; the signer takes the hash from the header.
 */
export const streamRawContent =
  (mail: readonly Buffer[]) =>
  <Args extends { request?: unknown }, Answer>(next: (args: Args) => Promise<Answer>) =>
  async (args: Args): Promise<Answer> => {
    const request = args.request as HttpRequest;
    const [before = '', after = ''] = textOf(request.body).split(ENCODED_PLACEHOLDER);
    const bytes = mail.reduce((sum, { length }) => sum + length, 0);
    const length = Buffer.byteLength(before) + Math.ceil(bytes / 3) * 4 + Buffer.byteLength(after);
    const pieces = function* () {
      yield before;
      yield* base64Of(mail);
      yield after;
    };
    const headers = {
      ...request.headers,
      'content-length': String(length),
      'x-amz-content-sha256': await sha256Of(pieces()),
    };
    const streamed = { headers, body: Readable.from(pieces(), { objectMode: false }) };
    const prototype = Object.getPrototypeOf(request) as object;
    return next({ ...args, request: Object.assign(Object.create(prototype) as object, request, streamed) });
  };

function textOf(body: unknown): string {
  if (!ArrayBuffer.isView(body)) return body as string;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

async function sha256Of(pieces: Iterable<string>): Promise<string> {
  const hash = createHash('sha256');
  const slice = new TimeSlice(SLICE_MS);
  for (const piece of pieces) {
    if (slice.isOver) await slice.next();
    hash.update(piece);
  }
  return hash.digest('hex');
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
