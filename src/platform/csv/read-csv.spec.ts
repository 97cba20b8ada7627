import { describe, expect, it } from '@jest/globals';

import { countIterations } from '../../../test/support/event-loop.js';
import { readCsv } from './read-csv.js';

const OPTIONS = { maxRowLength: 1_000, failure: 'The CSV cannot be read' };

describe('readCsv', () => {
  it.each(['a\n', ',\n'])('lets others run while it reads a chunk of rows %j', async (row) => {
    const file = async function* () {
      yield await Promise.resolve(`${row.repeat(524_287)}b\n`);
    };
    let lines = 0;
    const iterations = await countIterations(async () => {
      for await (const { line } of readCsv(file(), OPTIONS)) lines = line;
    });
    expect(lines).toBe(524_288);
    expect(iterations).toBeGreaterThan(2);
  });
});
