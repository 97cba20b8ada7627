import { setTimeout as pause } from 'node:timers/promises';

import type { Config } from '../../config/config.js';
import { isServerUnreachable, unusableDatabase } from './postgres-errors.js';

/** The connect timeout of a start, when nobody waits for a response and the machine may be busy with other starts. */
export const START_CONNECT_TIMEOUT_MS = 10_000;
type StartConfig = Pick<Config, 'databaseUrl' | 'startTimeoutMs'>;

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** Runs work of a start that needs the database, as `retryWhileUnreachable` does. Every error names the database. */
export const reachDatabase = <T>(
  config: StartConfig,
  warn: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> =>
  retryWhileUnreachable(config, warn, () =>
    work().catch((error: unknown) => {
      throw unusableDatabase(config.databaseUrl, error);
    }),
  );

/**
 * Runs work of a start. While the server cannot be reached, repeats all of it for START_TIMEOUT_MS, with one warning
 * per attempt, and then throws an error that names the database. Any other fault, such as a wrong password, ends it at
 * once.
 */
export async function retryWhileUnreachable<T>(
  { databaseUrl, startTimeoutMs }: StartConfig,
  warn: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const unusable = unusableDatabase(databaseUrl, error);
      if (!isServerUnreachable(unusable.cause)) throw error;
      const leftMs = startedAt + startTimeoutMs - performance.now();
      if (leftMs <= 0) throw unusable;
      const waitMs = Math.min(pauseMs, leftMs);
      warn(`${unusable.message}. Trying again in ${Math.ceil(waitMs)} ms, for another ${Math.ceil(leftMs / 1_000)} s`);
      await pause(waitMs);
    }
  }
}
