import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Config, DEFAULT_PORT, type Environment } from './config.js';

/** Completes the environment with what this machine provides: its database, its generated secret, its own address. */
export async function resolveConfig(environment: Environment, databaseUrl: string): Promise<Config> {
  const baseUrl = environment.baseUrl ?? `http://localhost:${environment.port ?? DEFAULT_PORT}`;
  return Object.freeze({
    ...environment,
    databaseUrl,
    baseUrl,
    mailFrom: environment.mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`,
    appSecret: environment.appSecret ?? (await generatedSecret(environment.dataDir)),
  });
}

/** The secret in the data directory, made on the first start. Two processes that start at once end up with the same one. */
async function generatedSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret');
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret.length < 32)
    throw new Error(`${file} does not hold a secret; restore it or delete it together with the data.`);
  return secret;
}
