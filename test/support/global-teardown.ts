import type * as TestPostgres from './test-postgres.js';

import { importTypeScript } from './import-typescript.mjs';

export default async function globalTeardown(): Promise<void> {
  const { stopTestPostgres } = (await importTypeScript('./test-postgres.ts')) as typeof TestPostgres;
  await stopTestPostgres();
}
