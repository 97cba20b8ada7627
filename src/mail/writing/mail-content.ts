import { type Duplex, Readable } from 'node:stream';

import { LeaseEndedError, type SubmissionCheck } from '../../shared/submission-check.js';
import { nextTurn } from '../../concurrency/time-slice.js';
import { END_OF_DATA, linePieces, toDataLines } from './data-lines.js';

/** A composed mail for one recipient. */
export interface RawMail {
  /** The envelope addresses, with domains in punycode. */
  from: string;
  to: string;
  /** The Message-ID without angle brackets. */
  messageId: string;
  /** Header and body, or the beginning of a mail with attachments. It ends in CRLF, like each buffer of `rest`. */
  raw: Buffer;
  /** The content after `raw`. */
  rest?: readonly Buffer[];
  /** The buffers of `rest` that are lines of base64. */
  encoded?: ReadonlySet<Buffer>;
  /** Whether there are bytes above 127: then a relay that supports 8BITMIME (RFC 6152) gets that parameter. */
  is8Bit?: boolean;
}

const BYTES_PER_TURN = 262_144;

/**
 * A stream of the content, which is read when the relay is ready for it. The lease is checked and the lines are written
 * synchronously. With an asynchronous step in between, all connections would check before any of them writes, and a
 * process that is paused at that moment would send after its leases have ended. A relay discards incomplete content
 * (RFC 5321 §4.1.1.4).
 */
export function contentOf(mail: RawMail, check: SubmissionCheck | undefined): Readable {
  const parts = dataPartsOf(mail);
  let bytes = 0;
  const content = new Readable({
    objectMode: true,
    highWaterMark: 0, // nothing is read, and checked, ahead of the time at which it is written
    read() {
      const push = () => {
        const { value, done } = parts.next();
        if (!done && check && !check.isHeld()) {
          this.destroy(new LeaseEndedError());
          return;
        }
        bytes += value?.length ?? 0;
        this.push(value ?? null);
      };
      if (bytes <= BYTES_PER_TURN) {
        push();
        return;
      }
      // A socket that accepts everything would otherwise take a large mail in one iteration of the event loop.
      bytes = 0;
      void nextTurn().then(push);
    },
  });
  writePastEscaping(content);
  return content;
}

function* dataPartsOf({ raw, rest = [], encoded }: RawMail): Generator<Buffer, undefined> {
  const parts = [...linePieces(raw, BYTES_PER_TURN), ...rest].filter(({ length }) => length > 0);
  for (const [i, part] of parts.entries()) {
    const lines = encoded?.has(part) ? part : toDataLines(part);
    yield i === parts.length - 1 ? Buffer.concat([lines, END_OF_DATA]) : lines;
  }
}

/**
 * nodemailer pipes a mail into a stream that reads each byte in JavaScript to correct line ends and to escape dots, and
 * that sends the end of the content in a packet of its own. The parts have all this, so they go to the readable side of
 * that stream at once, which is piped to the socket (`nodemailer.spec.ts` checks that for the installed version).
 */
function writePastEscaping(content: Readable): void {
  content.pipe = (target) => {
    const escaping = target as unknown as Duplex;
    escaping.on('pause', () => content.pause());
    escaping.on('resume', () => content.resume());
    content.on('data', (part: Buffer) => escaping.push(part));
    content.once('end', () => escaping.push(null));
    return target;
  };
}
