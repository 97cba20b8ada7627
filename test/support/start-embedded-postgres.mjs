/**
 * A process of its own that starts an embedded PostgreSQL, for tests that kill it: `node <this file> '<options>'`.
 * Prints one line of JSON when it has started or failed; stops when it reads a line or its input closes.
 */
import { once } from 'node:events';

import { importTypeScript } from './import-typescript.mjs';

const file = '../../packages/embedded-postgres/src/index.ts';
const answer = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const { startEmbeddedPostgres } = await importTypeScript(file);
  const postgres = await startEmbeddedPostgres(JSON.parse(process.argv[2]));
  answer({ url: postgres.url });
  process.stdin.resume();
  await Promise.race([once(process.stdin, 'data'), once(process.stdin, 'end')]);
  await postgres.stop();
  process.exit(0);
} catch (error) {
  answer({ error: error.message });
  process.exit(1);
}
