import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { budget } from '../../../../test/support/budget.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { ImportRow } from '../domain/import-row.js';
import { writeCsv } from '../../../platform/csv/write-csv.js';
import { readImportRows } from './read-import-rows.js';

async function* inChunks(text: string, size: number): AsyncGenerator<string, void> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
}

const rowsOf = async (text: string, chunkSize = 7): Promise<ImportRow[]> => {
  const rows: ImportRow[] = [];
  for await (const row of readImportRows(inChunks(text, chunkSize))) rows.push(row);
  return rows;
};
const row = (line: number, address: string, reason = '', note = ''): ImportRow => ({ line, address, reason, note });

describe('readImportRows', () => {
  it('reads the first column if there is no header', async () => {
    expect(await rowsOf('ada@example.com,x,y\n\n4155550100\r\n')).toEqual([
      row(1, 'ada@example.com'),
      row(3, '4155550100'),
    ]);
  });

  it.each([
    ['note,Email,reason\nhello,ada@example.com,bounced', row(2, 'ada@example.com', 'bounced', 'hello')],
    ['id,PHONE \n7, +14155550100 ', row(2, '+14155550100')],
    ['contact,note\nada@example.com,hello', row(2, 'ada@example.com', '', 'hello')],
    ['address\nada@example.com', row(2, 'ada@example.com')],
  ])('reads the header of %j', async (csv, expected) => {
    expect(await rowsOf(csv)).toEqual([expected]);
  });

  it('does not mistake a first row with an address for a header', async () => {
    expect(await rowsOf('ada@example.com,note')).toEqual([row(1, 'ada@example.com')]);
  });

  it('counts the lines of quoted cells and skips rows without text', async () => {
    expect(await rowsOf('email,note\nada@example.com,"two\nlines"\n,\n ,\nbob@example.com')).toEqual([
      row(3, 'ada@example.com', '', 'two\nlines'),
      row(6, 'bob@example.com'),
    ]);
  });

  it('accepts rows of any width', async () => {
    expect(await rowsOf('note,email\nhello\nhello,ada@example.com,more')).toEqual([
      row(2, '', '', 'hello'),
      row(3, 'ada@example.com', '', 'hello'),
    ]);
  });

  it.each([
    ['email\n"ada@example.com\nbob@example.com', /^The CSV cannot be read: Quote Not Closed: .* at line 3$/],
    ['email\nada@example.com\nb"ob@example.com', /^The CSV cannot be read: Invalid Opening Quote: .* at line 3/],
    ['email\n"ada"x,y', /^The CSV cannot be read: Invalid Closing Quote: .* at line 2/],
    [`email\n"${'x'.repeat(100_002)}`, /^The CSV cannot be read: Max Record Size: .* at line 2$/],
    ['x\n'.repeat(500_001), /^The CSV has more than 500000 rows$/],
    ['email,phone\nada@example.com,', /^The header names more than one of address, email, phone$/],
  ])('refuses %.60j', async (csv, message) => {
    await expect(rowsOf(csv, 1_000)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(message),
    });
  });

  it('rejects with the error of the source', async () => {
    async function* failing(): AsyncGenerator<string, void> {
      yield await Promise.resolve('ada@example.com\n');
      throw new Error('gone');
    }
    await expect(
      (async () => {
        for await (const { line } of readImportRows(failing())) expect(line).toBe(1);
      })(),
    ).rejects.toThrow('gone');
  });

  it('returns rows or an error for any text, however it is split into chunks', async () => {
    const text = fc.array(
      fc.constantFrom('"', ',', '\n', '\r', '\r\n', 'a@b.example', 'email', 'note', ' ', "'", '+', 'x'),
      {
        maxLength: 30,
      },
    );
    const outcome = (csv: string, size: number) =>
      rowsOf(csv, size).catch((error: unknown) => {
        expect(error).toBeInstanceOf(DomainError);
        return (error as Error).message;
      });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        expect(await outcome(parts.join(''), size)).toEqual(await outcome(parts.join(''), 1_000));
      }),
      { numRuns: budget({ quick: 25, soak: 300 }) },
    );
  });

  it('reads back what an export with escaped formulas has written', async () => {
    const notes = ['=1+1', '+1', '-1', '@x', '\tx', 'a,"b"\nc', "'quoted'"];
    const rows = notes.map((note) => ({ address: '+14155550100', note }));

    const batches = (async function* () {
      yield rows;
    })();
    let csv = '';
    for await (const chunk of writeCsv(['address', 'note'], batches)) csv += chunk;
    expect(csv).not.toMatch(/(^|,|")[=+\-@\t\r]/m);
    expect((await rowsOf(csv)).map(({ address, note }) => [address, note])).toEqual(
      notes.map((note) => ['+14155550100', note]),
    );
  });
});
