import type { Database } from '../../../../platform/database/database.js';
import { LOCK_EVENTS, MOVE_POSITIONS } from './feed-position.sql.js';

/**
 * Gives new events positions above all that were ever returned, including those that the database does not know of: a
 * server counts its own transactions, and repeats the numbers of those that were lost.
 */
export async function moveFeedPositions(database: Database, { evenOnSameServer = false } = {}): Promise<void> {
  await database.run(async () => {
    await database.query(LOCK_EVENTS);
    await database.query(MOVE_POSITIONS, [evenOnSameServer]);
  });
}
