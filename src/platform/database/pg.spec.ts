import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';

const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string };

/** `CopyQuery` relies on pg to hand it the rows of a COPY, which is undocumented. After an update, check that. */
describe('pg', () => {
  it('is the version that was checked', () => {
    expect(version).toBe('8.23.1');
  });
});
