import type { Database } from '../../../platform/database/database.js';

/** Deletes the deliveries of all accounts that have not ended, after a restore. Returns how many there were. */
export const dropPendingDeliveries = (database: Database): Promise<number> =>
  database.deleteInBatches('webhook_deliveries', 'due_at IS NOT NULL');
