import { pipeline, Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import { DomainError } from '../../shared/domain-error.js';
import { TimeSlice } from '../../concurrency/time-slice.js';
import { limitHeapGrowth } from '../memory/heap-growth.js';

/** The parser makes all rows of a slice at once, so slices are small. */
const SLICE_LENGTH = 4_096;
/** Few rows are buffered before the next slice is parsed. */
const BUFFERS = { readableHighWaterMark: 16, writableHighWaterMark: SLICE_LENGTH };
const MAX_MESSAGE_LENGTH = 300;

export interface CsvRow {
  /** The last line of the row in the file, from 1. */
  line: number;
  cells: string[];
}

export interface CsvOptions {
  /** The candidates; the one that occurs most often in the first line is used. */
  delimiters?: readonly string[];
  /** Limits what an unclosed quote makes the parser buffer. */
  maxRowLength: number;
  /** The beginning of the message for text that is not CSV. */
  failure: string;
}

/**
 * Reads the rows of a CSV in UTF-8. Rows without text are skipped. Throws invalid, naming the line, if it is not CSV.
 * Yields to the event loop between slices of work, which includes what the reader does with each row: a chunk of the
 * file can hold a hundred thousand rows.
 */
export async function* readCsv(
  csv: AsyncIterable<Uint8Array | string>,
  { delimiters = [','], maxRowLength, failure }: CsvOptions,
): AsyncGenerator<CsvRow, void> {
  const work = new TimeSlice();
  const slices = slice(csv, work);
  const { value: first } = await slices.next();
  if (first === undefined) return;
  const parser = parse({
    info: true,
    bom: true,
    delimiter: chooseDelimiter(first, delimiters),
    record_delimiter: ['\r\n', '\n', '\r'],
    trim: true,
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: maxRowLength,
    ...BUFFERS,
  });
  const endLimit = limitHeapGrowth();
  // An error of the source becomes one of the parser, which throws it to the reader.
  pipeline(Readable.from(prepend(first, slices), { objectMode: true, highWaterMark: 1 }), parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (work.isOver) await work.next();
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message = error.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed().replace(/\0/g, '\uFFFD');
    throw DomainError.invalid(`${failure}: ${message}`);
  } finally {
    endLimit();
  }
}

/** Yields to the event loop here, too: rows without text are parsed, but not passed on. */
async function* slice(
  csv: AsyncIterable<Uint8Array | string>,
  work: TimeSlice,
): AsyncGenerator<Uint8Array | string, void> {
  for await (const chunk of csv)
    for (let start = 0; start < chunk.length; start += SLICE_LENGTH) {
      if (work.isOver) await work.next();
      const end = start + SLICE_LENGTH;
      yield typeof chunk === 'string' ? chunk.slice(start, end) : chunk.subarray(start, end);
    }
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T, void> {
  yield first;
  yield* rest;
}

/** Ignores quoted names, which may contain any delimiter. */
function chooseDelimiter(start: Uint8Array | string, delimiters: readonly string[]): string {
  const text = (typeof start === 'string' ? start : Buffer.from(start).toString('utf8')).replace(/"[^"]*"/g, '');
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.reduce((most, delimiter) => (count(delimiter) > count(most) ? delimiter : most));
}
