import { importTypeScript } from '../support/import-typescript.mjs';

export default async function globalSetup() {
  const { startTestPostgres } = await importTypeScript('./test-postgres.ts');
  await startTestPostgres();
}
