import { TimeSlice } from '../../concurrency/time-slice.js';

/** The maximum number of characters. pg copies parameters of this length in a few milliseconds. */
const MAX_LENGTH = 1_000_000;

/** The items as a parameter of a statement. Yields to the event loop, because thousands of rows have megabytes. */
export async function jsonArray(items: Iterable<object>): Promise<string> {
  const slice = new TimeSlice();
  const rows: string[] = [];
  for (const item of items) {
    if (slice.isOver) await slice.next();
    rows.push(JSON.stringify(item));
  }
  return `[${rows.join()}]`;
}

/**
 * Divides items that together may be too large for one statement into several parameters. Yields nothing for no items.
 */
export async function* jsonArrays(items: Iterable<object>, maxLength = MAX_LENGTH): AsyncGenerator<string, void> {
  const slice = new TimeSlice();
  let rows: string[] = [];
  let length = 0;
  for (const item of items) {
    if (slice.isOver) await slice.next();
    const row = JSON.stringify(item);
    if (rows.length > 0 && length + row.length > maxLength) {
      yield `[${rows.join()}]`;
      rows = [];
      length = 0;
    }
    rows.push(row);
    length += row.length;
  }
  if (rows.length > 0) yield `[${rows.join()}]`;
}
