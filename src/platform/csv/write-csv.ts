import { stringify } from 'csv-stringify/sync';

/**
 * Writes a CSV with a header, one chunk per batch. A cell that a spreadsheet would interpret as a formula is prefixed
 * with an apostrophe.
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
      quoted_match: /;/, // a spreadsheet that separates by semicolons would split an unquoted cell
      cast: { date: (time) => time.toISOString() },
    });
    header = false;
  }
}
