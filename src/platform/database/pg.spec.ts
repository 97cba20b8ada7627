import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string };

/** Undocumented behaviour of pg that `CopyQuery` relies on. After an update, check each. */
describe('pg', () => {
  it('is the version that was checked', () => {
    expect(version).toBe('8.23.1');
  });

  it('hands the rows of a COPY to the query', () => {
    const rows: unknown[] = [];
    const query = { handleCopyData: (row: unknown) => rows.push(row) };
    const client = new Client() as unknown as { _activeQuery: unknown; _handleCopyData: (row: unknown) => void };
    client._activeQuery = query;
    client._handleCopyData('a row');
    expect(rows).toEqual(['a row']);
  });
});
