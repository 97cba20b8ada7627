import { stringify } from 'csv-stringify/sync';

/**
 * Writes a CSV with a header, a chunk per batch. Text that a spreadsheet would take for a formula gets an apostrophe.
 */
export async function* writeCsv(
  columns: readonly string[],
  batches: AsyncIterable<readonly object[]>,
): AsyncGenerator<string, void> {
  let header = true;
  for await (const batch of batches) {
    yield stringify([...batch], {
      header,
      columns: [...columns],
      escape_formulas: true,
      quoted_match: /;/, // some spreadsheets separate cells by semicolons
      cast: { date: (time) => time.toISOString() },
    });
    header = false;
  }
}
