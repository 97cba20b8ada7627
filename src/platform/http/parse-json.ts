import { isUtf8 } from 'node:buffer';

import { JSONParser } from '@streamparser/json';

import { DomainError } from '../../shared/domain-error.js';
import { TimeSlice } from '../../shared/time-slice.js';
import { refuseCostlyJson } from './json-shape.js';
import { unstorableFault } from './unstorable-text.js';

/** So many values, with lists and objects counted twice, and so many bytes are parsed at once, within 20 ms. */
const AT_ONCE = { values: 20_000, bytes: 2_000_000 };
/** The parser that can pause takes up to 10 ms for a chunk of this size. */
const CHUNK_BYTES = 16_384;
/** Without buffers, it keeps each character of a string or number apart until its end. */
const BUFFERS = { stringBufferSize: 65_536, numberBufferSize: 65_536 };
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Parses a JSON body as JSON.parse does, without occupying the event loop for long, whatever it holds. Throws `invalid`
 * or a TooManyValuesError for a body that is not JSON, costs too much, or holds text that PostgreSQL cannot store.
 *
 * @param anyTextIn a field that may hold any text, because the handler reports faults per value
 */
export async function parseJson(body: Buffer, anyTextIn?: string): Promise<unknown> {
  const values = await refuseCostlyJson(body);
  const isCostly = values > AT_ONCE.values || body.length > AT_ONCE.bytes;
  const parsed = isCostly ? await parseInSlices(body) : parseAtOnce(body);
  // Half a surrogate pair and NUL can only be written as escapes.
  if (body.includes('\\u')) requireStorable(parsed, anyTextIn);
  return parsed;
}

function parseAtOnce(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text);
  } catch {
    throw notJson();
  }
}

async function parseInSlices(given: Buffer): Promise<unknown> {
  const slice = new TimeSlice();
  await slice.next();
  const body = isUtf8(given) ? given : Buffer.from(given.toString('utf8')); // with replacement characters
  let parsed: unknown;
  const parser = new JSONParser({ paths: ['$'], ...BUFFERS });
  parser.onValue = ({ value }) => (parsed = value);
  try {
    for (let start = 0; start < body.length; start += CHUNK_BYTES) {
      parser.write(body.subarray(start, start + CHUNK_BYTES));
      if (slice.isOver) await slice.next();
    }
    if (!parser.isEnded) parser.end();
  } catch {
    throw notJson();
  }
  return parsed;
}

function requireStorable(parsed: unknown, anyTextIn = ''): void {
  const isExempt = anyTextIn !== '' && typeof parsed === 'object' && parsed !== null;
  const fault = unstorableFault(isExempt ? { ...parsed, [anyTextIn]: null } : parsed);
  if (fault !== undefined) throw DomainError.invalid(fault);
}

const notJson = () => DomainError.invalid('The body is not valid JSON');
