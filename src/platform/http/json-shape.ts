import { DomainError } from '../../shared/domain-error.js';
import { TimeSlice } from '../../shared/time-slice.js';
import { MAX_FIELDS } from './require-few-fields.js';

const MAX_DEPTH = 50;
/** In one object. More than a body of 1 MB can hold. */
const MAX_INNER_FIELDS = 100_000;
/** In the whole body. A body of 1 MB can hold 330,000, the largest import has 15,000. */
const MAX_LISTS_AND_OBJECTS = 400_000;

/** Longer strings are searched for their end, which is faster for them. */
const SHORT_STRING = 64;

/** In all lists and objects of the body. */
const MAX_VALUES = 500_000;

/** The body has more values than the steps after the parser handle in a short time. */
export class TooManyValuesError extends Error {}

/** Checked in a few milliseconds. */
const PIECE_BYTES = 1_000_000;

/**
 * Refuses JSON that would occupy the event loop for long when it is read, or that is too deep for a recursive walk.
 * Reads each byte once, and yields to the event loop between megabytes. Returns how many values there are, with lists
 * and objects counted twice. Throws `invalid` or a TooManyValuesError; leaves faults of the syntax to the parser.
 */
export async function refuseCostlyJson(body: Buffer): Promise<number> {
  const slice = new TimeSlice();
  let pieceEnd = PIECE_BYTES;
  /** Of the open objects, by depth. */
  const fields = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  let opened = 0;
  let separators = 0;
  let inString = false;
  let stringStart = 0;
  for (let i = 0; i < body.length; i++) {
    if (i >= pieceEnd) {
      if (slice.isOver) await slice.next();
      pieceEnd = i + PIECE_BYTES;
    }
    const byte = body[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
      else if (i - stringStart > SHORT_STRING) i = endOfString(body, i + 1) - 1;
    } else if (byte === QUOTE) {
      inString = true;
      stringStart = i;
    } else if (byte === COMMA) separators += 1;
    else if (byte === COLON) countField(fields, depth);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      opened += 1;
      if (depth > MAX_DEPTH) throw DomainError.invalid(`The body is nested deeper than ${MAX_DEPTH} levels`);
      if (opened > MAX_LISTS_AND_OBJECTS)
        throw new TooManyValuesError(`The body holds more than ${MAX_LISTS_AND_OBJECTS} lists and objects`);
      fields[depth] = 0;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  if (separators >= MAX_VALUES) throw new TooManyValuesError(`The body holds more than ${MAX_VALUES} values`);
  return opened + separators;
}

/** The position of the next quote that is not escaped. `from` is not within an escape. */
function endOfString(body: Buffer, from: number): number {
  for (let quote = body.indexOf(QUOTE, from); quote >= 0; quote = body.indexOf(QUOTE, quote + 1)) {
    let last = quote - 1;
    while (body[last] === BACKSLASH) last -= 1;
    if ((quote - 1 - last) % 2 === 0) return quote;
  }
  return body.length;
}

function countField(fields: Uint32Array, depth: number): void {
  const count = (fields[depth] ?? 0) + 1;
  fields[depth] = count;
  if (depth === 1 && count > MAX_FIELDS) throw DomainError.invalid(`The request has more than ${MAX_FIELDS} fields`);
  if (count > MAX_INNER_FIELDS)
    throw DomainError.invalid(`An object in the body has more than ${MAX_INNER_FIELDS} fields`);
}

const [QUOTE = 0, BACKSLASH, COLON, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] =
  Buffer.from('"\\:,{}[]');
