import type * as TestPostgres from './test-postgres.js';

import { importTypeScript } from './import-typescript.mjs';

export default async function globalSetup(): Promise<void> {
  const { startTestPostgres } = (await importTypeScript('./test-postgres.ts')) as typeof TestPostgres;
  await startTestPostgres();
}
