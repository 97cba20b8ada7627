import { importTypeScript } from '../support/import-typescript.mjs';

export default async function globalTeardown() {
  const { stopTestPostgres } = await importTypeScript('./test-postgres.ts');
  await stopTestPostgres();
}
