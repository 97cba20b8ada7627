import { TimeSlice } from '../../shared/time-slice.js';

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
