import type { Database } from '../../../platform/database/database.js';

/** After a restore, for all accounts: deletes the deliveries that have not ended. Returns how many there were. */
export const dropPendingDeliveries = (database: Database): Promise<number> =>
  database.deleteInBatches('webhook_deliveries', 'due_at IS NOT NULL');
