import { stringify } from 'csv-stringify/sync';

/** A CSV with a header, a chunk per batch; what a spreadsheet would take for a formula has an apostrophe before it. */
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
      quoted_match: /;/, // else what stands after it is a cell to a spreadsheet that separates by semicolons
      cast: { date: (time) => time.toISOString() },
    });
    header = false;
  }
}
