import { pipeline, Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import { DomainError } from '../../../shared/domain-error.js';

/** Bounds what an unclosed quote makes the parser hold. */
const MAX_ROW_BYTES = 2_000_000;
const MAX_COLUMNS = 1_000;
/** Handed to the parser at a time, which makes all rows in it at once. */
const SLICE_BYTES = 16_384;
/** Few rows wait for their reader before the next slice is parsed. */
const BUFFERS = { readableHighWaterMark: 16, writableHighWaterMark: SLICE_BYTES };
const DELIMITERS = [',', ';', '\t'] as const;
const MAX_MESSAGE_LENGTH = 300;

export interface CsvRow {
  /** Its last one in the file, from 1. */
  line: number;
  cells: string[];
}

/**
 * The rows of a CSV in UTF-8, the header first; separated by commas, semicolons or tabs, as the header is. Rows without
 * any text are left out. Throws invalid, saying the line, for text that is no CSV.
 */
export async function* csvRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow, void> {
  const slices = slice(bytes);
  const { value: first } = await slices.next();
  if (!first) throw DomainError.invalid('The file is empty');
  const parser = parse({
    info: true,
    bom: true,
    delimiter: delimiterOf(first),
    record_delimiter: ['\r\n', '\n', '\r'],
    trim: true,
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_BYTES,
    ...BUFFERS,
  });
  // Its error is the parser's too, which throws it to the reader.
  pipeline(Readable.from(joined(first, slices), { objectMode: true, highWaterMark: 1 }), parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (record.length > MAX_COLUMNS)
        throw DomainError.invalid(`The file has more than ${MAX_COLUMNS} columns: line ${info.lines}`);
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;

    const message = error.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed().replace(/\0/g, '\uFFFD');
    throw DomainError.invalid(`The file cannot be read as CSV: ${message}`);
  }
}

async function* slice(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) yield chunk.subarray(at, at + SLICE_BYTES);
}

async function* joined(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield first;
  yield* rest;
}

/** The one that the header has most of; names in quotes may hold any. */
function delimiterOf(start: Uint8Array): string {
  const text = Buffer.from(start)
    .toString('utf8')
    .replace(/"[^"]*"/g, '');
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((most, delimiter) => (count(delimiter) > count(most) ? delimiter : most));
}
