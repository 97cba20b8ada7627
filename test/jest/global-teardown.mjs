import { importTypeScript } from '../support/import-typescript.mjs';

export default async function globalTeardown() {
  await globalThis.stopSharedService?.();
  const { stopTestPostgres } = await importTypeScript('./test-postgres.ts');
  await stopTestPostgres();
}
