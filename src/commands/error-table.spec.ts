import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { withErrorTable } from './error-table.js';

describe('docs/errors.md', () => {
  it('has the table of all error codes; if not, run npm run openapi', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    expect(page).toBe(withErrorTable(page));
  });
});
