import { pino, type Logger } from 'pino';

import type { Config } from '../../config/config.js';

/** Structured log: one wide line per unit of work, with ids, outcome and duration. */
export abstract class Log {
  abstract info(line: Record<string, unknown>): void;
  abstract warn(line: Record<string, unknown>): void;
  abstract error(line: Record<string, unknown>): void;
}

/** POSIX guarantees this for PIPE_BUF: a write of up to 4 kB to a pipe is not mixed with those of other processes. */
const ATOMIC_BYTES = 4_096;

/**
 * Lines logged during a write share the next one; the rest is flushed at exit. Several processes share one standard
 * output: each line says which one wrote it.
 */
export const createLogger = ({ logLevel, role, processes }: Pick<Config, 'logLevel' | 'role' | 'processes'>): Logger =>
  pino(
    {
      level: logLevel,
      base: processes === 1 ? { role } : { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 1, sync: false, ...(processes === 1 ? {} : { maxWrite: ATOMIC_BYTES }) }),
  );
