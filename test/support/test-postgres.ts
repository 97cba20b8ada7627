import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import { onServer } from './database.js';
import { dropTemplates, prepareTemplates } from './template-database.js';

let running: { postgres: EmbeddedPostgres; cleaner: ChildProcess } | undefined;

/**
 * One server for all test files of the run: TEST_POSTGRES_URL, which test processes inherit. One set by hand is used,
 * and gets its templates anew. Called for each project of the run.
 */
export async function startTestPostgres(): Promise<void> {
  if (process.env.TEST_POSTGRES_PREPARED) return;
  process.env.TEST_POSTGRES_PREPARED = 'true';
  const { TEST_POSTGRES_URL: given } = process.env;
  if (given) {
    await dropTemplates(given);
    await prepareTemplates(given);
    return;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'test-postgres-'));
  const cleaner = startCleaner(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, settings: { max_connections: '300' } });
  running = { postgres, cleaner };
  await makeLoginsCheap(postgres.url);
  await prepareTemplates(postgres.url);
  process.env.TEST_POSTGRES_URL = postgres.url;
}

export async function stopTestPostgres(): Promise<void> {
  if (!running) return;
  const { postgres, cleaner } = running;
  running = undefined;
  delete process.env.TEST_POSTGRES_URL;
  delete process.env.TEST_POSTGRES_PREPARED;
  await postgres.stop();
  cleaner.ref();
  const cleaned = once(cleaner, 'exit');
  cleaner.stdin?.end();
  await cleaned;
}

/** Thousands of connections are made, each of which hashes the password as often as the server asks for. */
async function makeLoginsCheap(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await onServer(url, `SET scram_iterations = 1; ALTER ROLE ${username} PASSWORD '${password}'`);
}

/**
 * Removes the server and its files when its standard input closes. That happens also when this process is
 * interrupted or killed, where no teardown runs.
 */
function startCleaner(dataDir: string): ChildProcess {
  const script = `
    cat
    pid=$(head -n 1 "$1/cluster/postmaster.pid") && kill -QUIT "$pid" && sleep 1
    rm -rf -- "$1"`;
  const cleaner = spawn('sh', ['-c', script, 'sh', dataDir], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  cleaner.unref();
  if (cleaner.stdin instanceof Socket) cleaner.stdin.unref();
  return cleaner;
}
