import type { Database } from '../database/database.js';

/** After a restore, for all accounts: deletes the events that have not been dispatched. Returns how many there were. */
export const dropOutbox = (database: Database): Promise<number> => database.deleteInBatches('outbox_events', 'true');
