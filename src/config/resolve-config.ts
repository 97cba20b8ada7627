import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';

import { type Config, DEFAULT_PORT, type Environment } from './config.js';

/** Memory for a request with a body of 1 MB while it is parsed and stored. */
const REQUEST_BYTES = 4 * 1_024 * 1_024;

/** Completes the environment with values of this machine: database, generated secret, address, memory. */
export async function resolveConfig(environment: Environment, databaseUrl: string): Promise<Config> {
  const baseUrl = environment.baseUrl ?? `http://localhost:${environment.port ?? DEFAULT_PORT}`;
  return Object.freeze({
    ...environment,
    databaseUrl,
    baseUrl,
    mailFrom: environment.mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`,
    maxRequestsInFlight:
      environment.maxRequestsInFlight ??
      Math.max(100, Math.floor(memoryForRequests(environment.processes) / REQUEST_BYTES)),
    appSecret: environment.appSecret ?? (await generatedSecret(environment.dataDir)),
  });
}

/** The heap of this process; with several, at most its share of half the machine's memory. */
function memoryForRequests(processes: number): number {
  const heap = getHeapStatistics().heap_size_limit;
  if (processes === 1) return heap;
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(heap, memory / 2 / processes);
}

/** The secret in the data directory, generated on first start. Processes that start together get the same one. */
async function generatedSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret');
  const secret = (await readIfPresent(file)) ?? (await generateSecret(dataDir, file));
  if (secret.trim().length < 32)
    throw new Error(`${file} does not hold a secret; restore it or delete it together with the data.`);
  return secret.trim();
}

/** Creates the file atomically: if the process dies, there is no file with partial content. */
async function generateSecret(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(temporary, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(file, 'utf8');
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
