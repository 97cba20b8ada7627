import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';

const { version } = createRequire(import.meta.url)('smtp-server/package.json') as { version: string };

/** `SubmissionServer` overrides methods beyond the documentation of the library. After an update, check each. */
describe('smtp-server', () => {
  it('is the version that was checked', () => {
    expect(version).toBe('3.21.6');
  });
});
