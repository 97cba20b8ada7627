import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
/** As the tables name them, such as `e2e/send/caps` or `src/shared/ids.spec`, with what completes the path. */
const TESTS: Record<string, (name: string) => string> = {
  e2e: (name) => `test/${name}.e2e-spec.ts`,
  browser: (name) => `test/${name}.browser-spec.ts`,
  soak: (name) => `test/${name}.soak-spec.ts`,
  processes: (name) => `test/${name}.spec.ts`,
  src: (name) => `${name}.ts`,
};
const NAME = new RegExp(`(?<![\\w/])(?:${Object.keys(TESTS).join('|')})/[\\w./-]*\\w`, 'g');

it('Each test that docs/security.md names exists', () => {
  const rows = readFileSync(new URL('docs/security.md', ROOT), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const names = rows.flatMap((row) => row.split(' | ').at(-1)?.match(NAME) ?? []);
  expect(names.length).toBeGreaterThan(50);
  const missing = names.filter((name) => !existsSync(new URL(TESTS[name.split('/')[0]!]!(name), ROOT)));
  expect(missing).toEqual([]);
});
