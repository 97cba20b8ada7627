import { stringify } from 'csv-stringify/sync';

import type { Suppression } from '../domain/suppression.js';

const COLUMNS = ['address', 'channel', 'reason', 'source', 'note', 'createdAt'];

/** A CSV with a header, a chunk per batch; what a spreadsheet would take for a formula has an apostrophe before it. */
export async function* writeCsv(batches: AsyncIterable<Suppression[]>): AsyncGenerator<string, void> {
  let header = true;
  for await (const batch of batches) {
    yield stringify(batch, {
      header,
      columns: COLUMNS,
      escape_formulas: true,
      cast: { date: (time) => time.toISOString() },
    });
    header = false;
  }
}
