import { pino, type Logger } from 'pino';

import type { Config } from '../../config/config.js';

/** Structured log: one wide line per unit of work, with ids, outcome and duration. */
export abstract class Log {
  abstract info(line: Record<string, unknown>): void;
  abstract warn(line: Record<string, unknown>): void;
  abstract error(line: Record<string, unknown>): void;
}

/** Lines logged during a write share the next one; the rest is flushed at exit. */
export const createLogger = ({ logLevel, role }: Pick<Config, 'logLevel' | 'role'>): Logger =>
  pino(
    { level: logLevel, base: { role }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false }),
  );
