import { isLockTimeout } from '../../../../platform/database/postgres-errors.js';

/** What waits for a lock begins no further turn after this time. */
const MAX_LOCKED_MS = 5_000;

/** Repeats what fails because counters are locked (`waitOneTurn`). Others have their turn between two attempts. */
export async function retryWhileLocked<T>(attempt: () => Promise<T>): Promise<T> {
  const lastTurnAt = performance.now() + MAX_LOCKED_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() >= lastTurnAt) throw error;
    }
  }
}
