import { isUtf8 } from 'node:buffer';

import { DomainError } from '../../shared/domain-error.js';
import { type ContentTask, contentThreads, INLINE_SIZE } from '../../concurrency/content-threads.js';
import { BYTES_PER_MB } from '../../shared/bytes.js';
import type { JsonLimits, ListPosition } from '../../shared/json-shape.js';
import { JSON_SHAPE, PARSE_JSON } from '../../shared/json-tasks.js';
import { nextTurn, TimeSlice } from '../../concurrency/time-slice.js';
import { MAX_FIELDS } from './require-few-fields.js';
import { unstorableFault } from './unstorable-text.js';

/** Limits a request with one item, such as a send with its variables. */
const ONE: JsonLimits = { values: 10_000, outerFields: MAX_FIELDS, levels: 50 };
/** An import of 5,000 contacts with 100 tags and 50 lists each has 800,000. */
const MANY: JsonLimits = { ...ONE, values: 800_000, valuesOfEntry: ONE.values };
/** The maximum number of bytes besides the list. They are parsed in a few milliseconds. */
const MAX_AROUND = 50_000;
/**
 * The maximum number of bytes that are counted, and parsed if they hold few values, within some milliseconds (ADR 24).
 */
const AT_ONCE = BYTES_PER_MB;
const [OPEN_LIST, CLOSE_LIST] = [Buffer.from('['), Buffer.from(']')];

/**
 * Parses a JSON body as JSON.parse does, without occupying the event loop for long, whatever it holds. Throws `invalid`
 * for a body that is not UTF-8 or not JSON, holds too much, or holds text that PostgreSQL cannot store.
 *
 * @param bytes the caller must not use them afterwards
 * @param entriesIn a list whose entries the handler validates one by one: each may hold as much as other bodies, and
 *   any text, because the handler reports faults per entry
 */
export async function parseJson(bytes: Buffer, entriesIn?: string, accountId = ''): Promise<unknown> {
  if (bytes.length > INLINE_SIZE) await nextTurn(accountId);
  // Decoding replaces such bytes, which would change names and addresses.
  if (!isUtf8(bytes)) throw DomainError.invalid('The body is not valid UTF-8');
  const run = <Input, Output>(task: ContentTask<Input, Output>, input: Input, content: Buffer) =>
    content.length <= AT_ONCE
      ? task.run(input)
      : contentThreads.runInThread(task, input, accountId, [content.buffer as ArrayBuffer]);
  const parse = async (json: Buffer) => {
    try {
      return await run(PARSE_JSON, json, json);
    } catch (error) {
      throw error instanceof DomainError ? error : notJson();
    }
  };
  const limits = entriesIn === undefined ? ONE : MANY;
  const shape = await run(JSON_SHAPE, { body: bytes, limits, listIn: entriesIn }, bytes);
  const { body, values, list } = shape;
  if (values - (list?.values ?? 0) > MAX_AROUND)
    throw DomainError.invalid(`The body holds more than ${MAX_AROUND} values besides its ${entriesIn ?? ''}`);
  const parsed =
    list && entriesIn !== undefined
      ? await parseWithList(body, entriesIn, list, parse, new TimeSlice(accountId))
      : await parse(body);
  // Half a surrogate pair and NUL can only be written as escapes.
  if (shape.hasUnicodeEscapes) requireStorable(parsed, entriesIn);
  return parsed;
}

/** Parses the list in pieces, and the text around it. A comma without an element would be lost between two pieces. */
async function parseWithList(
  body: Buffer,
  name: string,
  { start, end, cuts }: ListPosition,
  parse: (json: Buffer) => Promise<unknown>,
  slice: TimeSlice,
): Promise<unknown> {
  const around = await parse(Buffer.concat([body.subarray(0, start), body.subarray(end)]));
  const entries: unknown[] = [];
  for (const [i, cut] of [...cuts, end].entries()) {
    if (slice.isOver) await slice.next();
    const from = cuts[i - 1] === undefined ? start : (cuts[i - 1] ?? 0) + 1;
    const piece = (await parse(Buffer.concat([OPEN_LIST, body.subarray(from, cut), CLOSE_LIST]))) as unknown[];
    if (cuts.length > 0 && piece.length === 0) throw notJson();
    for (const entry of piece) entries.push(entry);
  }
  return Object.assign(around as object, { [name]: entries });
}

function requireStorable(parsed: unknown, entriesIn = ''): void {
  const isExempt = entriesIn !== '' && typeof parsed === 'object' && parsed !== null;
  const fault = unstorableFault(isExempt ? { ...parsed, [entriesIn]: null } : parsed);
  if (fault !== undefined) throw DomainError.invalid(fault);
}

const notJson = () => DomainError.invalid('The body is not valid JSON');
