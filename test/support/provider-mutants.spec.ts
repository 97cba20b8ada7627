import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
const LIST = new URL('scripts/mutants/providers.mjs', ROOT);

type ReadSource = (file: string) => string;

it('Each mutant of a provider can be made from its source', async () => {
  const { providerMutants } = (await import(LIST.href)) as { providerMutants: (readSource: ReadSource) => unknown[] };
  const readSource: ReadSource = (file) => readFileSync(new URL(file, ROOT), 'utf8');
  expect(() => providerMutants(readSource)).not.toThrow();
  expect(() => providerMutants((file) => `// ${readSource(file).replaceAll('check', 'checked')}`)).toThrow('once');
});
