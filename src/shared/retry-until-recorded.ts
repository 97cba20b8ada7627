import { setTimeout as pause } from 'node:timers/promises';

import type { DatabaseFaults } from './ports/database-faults.js';

const DELAY_STEP_MS = 100;
const MAX_DELAY_MS = 2_000;

/**
 * Repeats `record` until it succeeds, through deadlocks, time-outs and outages of the database. Throws only when the
 * database refuses the row itself. `onRetry` is called before each pause.
 */
export async function retryUntilRecorded<T>(
  record: () => Promise<T>,
  faults: Pick<DatabaseFaults, 'isRowFault'>,
  onRetry: (error: Error) => void,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await record();
    } catch (error) {
      if (faults.isRowFault(error)) throw error;
      onRetry(error as Error);
      await pause(Math.min(tried * DELAY_STEP_MS, MAX_DELAY_MS));
    }
  }
}
