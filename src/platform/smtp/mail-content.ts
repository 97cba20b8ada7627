import { Readable, type Transform } from 'node:stream';

import { LeaseEndedError, type SubmissionCheck } from '../../shared/submission-check.js';
import { nextTurn } from '../../shared/time-slice.js';
import { END_OF_DATA, linePieces, toDataLines } from './data-lines.js';

/** A composed mail for one recipient. */
export interface RawMail {
  /** The envelope addresses, with domains in punycode. */
  from: string;
  to: string;
  /** Without angle brackets. */
  messageId: string;
  /** Header and body; of a mail with attachments the beginning. This and what follows end in CRLF. */
  raw: Buffer;
  /** What follows. */
  rest?: readonly Buffer[];
  /** Those of `rest` that are lines of base64. */
  encoded?: ReadonlySet<Buffer>;
  /** Whether there are bytes above 127, which the relay is told if it knows 8BITMIME (RFC 6152). */
  is8Bit?: boolean;
}

const BYTES_PER_TURN = 262_144;

/**
 * Read when the relay is ready for the content. The lease is checked and the lines are written synchronously. With an
 * asynchronous step in between, all connections would check before any of them writes, and a process that is paused at
 * that moment would send after its leases have ended. A relay discards incomplete content (RFC 5321 §4.1.1.4).
 */
export function contentOf(mail: RawMail, check: SubmissionCheck | undefined): Readable {
  const parts = dataPartsOf(mail);
  let bytes = 0;
  const content = new Readable({
    objectMode: true,
    highWaterMark: 1,
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
  pipeUnchanged(content);
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
 * nodemailer's stream reads each byte in JavaScript to correct line ends and to escape dots, and sends the end of the
 * content in a packet of its own.
 */
function pipeUnchanged(content: Readable): void {
  const pipe = content.pipe.bind(content);
  content.pipe = (target) => {
    const stream = target as unknown as Transform;
    stream._transform = (chunk, _encoding, done) => {
      done(null, chunk);
    };
    stream._flush = (done) => {
      done();
    };
    return pipe(target);
  };
}
