import { isUtf8 } from 'node:buffer';

import { DomainError } from '../../shared/domain-error.js';
import { contentThreads } from '../../concurrency/content-threads.js';
import { BYTES_PER_MB } from '../../shared/bytes.js';
import { type JsonLimits, type ListPosition, shapeOf } from '../../shared/json-shape.js';
import { JSON_SHAPE, PARSE_JSON } from '../../shared/json-tasks.js';
import { TimeSlice } from '../../concurrency/time-slice.js';
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
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Parses a JSON body as JSON.parse does, without occupying the event loop for long, whatever it holds. Throws `invalid`
 * for a body that is not UTF-8 or not JSON, holds too much, or holds text that PostgreSQL cannot store.
 *
 * @param entriesIn a list whose entries the handler validates one by one: each may hold as much as other bodies, and
 *   any text, because the handler reports faults per entry
 */
export async function parseJson(body: Buffer, entriesIn?: string, accountId = ''): Promise<unknown> {
  // Decoding replaces such bytes, which would change names and addresses.
  if (!isUtf8(body)) throw DomainError.invalid('The body is not valid UTF-8');
  const limits = entriesIn === undefined ? ONE : MANY;
  const { values, list } =
    body.length <= AT_ONCE
      ? shapeOf(body, limits, entriesIn)
      : await contentThreads.runInThread(JSON_SHAPE, { body, limits, listIn: entriesIn }, accountId);
  if (values - (list?.values ?? 0) > MAX_AROUND)
    throw DomainError.invalid(`The body holds more than ${MAX_AROUND} values besides its ${entriesIn ?? ''}`);
  const parse = (text: string) => parseText(text, accountId);
  const parsed =
    list && entriesIn !== undefined
      ? await parseWithList(body, entriesIn, list, parse)
      : await parse(body.toString('utf8'));
  // Half a surrogate pair and NUL can only be written as escapes.
  if (body.includes('\\u')) requireStorable(parsed, entriesIn);
  return parsed;
}

async function parseText(text: string, accountId: string): Promise<unknown> {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  try {
    return json.length <= AT_ONCE ? JSON.parse(json) : await contentThreads.runInThread(PARSE_JSON, json, accountId);
  } catch (error) {
    throw error instanceof DomainError ? error : notJson();
  }
}

/** Parses the list in pieces, and the text around it. A comma without an element would be lost between two pieces. */
async function parseWithList(
  body: Buffer,
  name: string,
  { start, end, cuts }: ListPosition,
  parse: (text: string) => Promise<unknown>,
): Promise<unknown> {
  const around = (await parse(body.toString('utf8', 0, start) + body.toString('utf8', end))) as Record<string, unknown>;
  const slice = new TimeSlice();
  const entries: unknown[] = [];
  for (const [i, cut] of [...cuts, end].entries()) {
    if (slice.isOver) await slice.next();
    const from = cuts[i - 1] === undefined ? start : (cuts[i - 1] ?? 0) + 1;
    const piece = (await parse(`[${body.toString('utf8', from, cut)}]`)) as unknown[];
    if (cuts.length > 0 && piece.length === 0) throw notJson();
    for (const entry of piece) entries.push(entry);
  }
  around[name] = entries;
  return around;
}

function requireStorable(parsed: unknown, entriesIn = ''): void {
  const isExempt = entriesIn !== '' && typeof parsed === 'object' && parsed !== null;
  const fault = unstorableFault(isExempt ? { ...parsed, [entriesIn]: null } : parsed);
  if (fault !== undefined) throw DomainError.invalid(fault);
}

const notJson = () => DomainError.invalid('The body is not valid JSON');
