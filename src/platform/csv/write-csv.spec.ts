import { describe, expect, it } from '@jest/globals';

import { writeCsv } from './write-csv.js';

describe('writeCsv', () => {
  const entry = { channel: 'email', reason: 'manual', source: 'dashboard', createdAt: new Date(0) };
  const written = async (...batches: object[][]): Promise<string> => {
    let csv = '';

    const source = async function* () {
      yield* batches as never[][];
    };
    for await (const chunk of writeCsv(['address', 'channel', 'reason', 'source', 'note', 'createdAt'], source()))
      csv += chunk;
    return csv;
  };

  it('writes the header once, with and without rows', async () => {
    expect(await written([])).toBe('address,channel,reason,source,note,createdAt\n');
    expect(await written([{ ...entry, address: 'a@b.example', note: null }], [])).toBe(
      'address,channel,reason,source,note,createdAt\na@b.example,email,manual,dashboard,,1970-01-01T00:00:00.000Z\n',
    );
  });

  it('prefixes formulas with an apostrophe', async () => {
    const csv = await written([{ ...entry, address: '+14155550100', note: '=1+1' }]);
    expect(csv).toContain("'+14155550100,email,manual,dashboard,'=1+1,");
  });
});
