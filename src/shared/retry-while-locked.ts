import type { DatabaseFaults } from './ports/database-faults.js';

/** How long what needs the locks of one account holds a permit or connection that other accounts need, too. */
export const LOCK_TURN_MS = 500;
/** What waits for a lock begins no further turn after this time. */
const MAX_LOCKED_MS = 5_000;
/** The same for what may take as long as any statement. */
export const MAX_LOCKED_IN_STATEMENT_MS = 30_000;

/**
 * Repeats what fails because its locks could not be had within a turn. Others have their turn between two attempts:
 * `attempt` gives back its permit and waits for another one.
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
