import { setTimeout as pause } from 'node:timers/promises';

import type { DatabaseFaults } from '../shared/ports/database-faults.js';

/** The step by which the delay between attempts to record an outcome grows. */
const DELAY_STEP_MS = 100;
const MAX_DELAY_MS = 2_000;
/**
 * The time for which work that needs the locks of one account holds a permit or connection that other accounts need,
 * too.
 */
export const LOCK_WAIT_MS = 500;
/** Work that waits for a lock begins no further turn after this time. */
const MAX_LOCKED_MS = 5_000;
/** The limit for work that may take as long as any statement. */
export const MAX_LOCKED_IN_STATEMENT_MS = 30_000;

/**
 * Repeats `record` until it succeeds, through deadlocks, time-outs and outages of the database. Throws only when the
 * database refuses the row itself. `onRetry` is called before each pause.
 */
export async function retryUntilRecorded<T>(
  record: () => Promise<T>,
  faults: Pick<DatabaseFaults, 'isRowFault' | 'isUnavailable'>,
  onRetry: (error: Error) => void,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await record();
    } catch (error) {
      if (faults.isRowFault(error) && !faults.isUnavailable(error)) throw error;
      onRetry(error as Error);
      await pause(Math.min(tried * DELAY_STEP_MS, MAX_DELAY_MS));
    }
  }
}

/**
 * Repeats work that could not acquire its locks within a turn. Others have their turn between two attempts: `attempt`
 * returns its permit and waits for another one.
 */
export async function retryWhileLocked<T>(
  faults: Pick<DatabaseFaults, 'isLockTimeout'>,
  attempt: () => Promise<T>,
  maxLockedMs = MAX_LOCKED_MS,
): Promise<T> {
  const lastTurnAt = performance.now() + maxLockedMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!faults.isLockTimeout(error) || performance.now() >= lastTurnAt) throw error;
    }
  }
}
