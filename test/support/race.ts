import type { TestService } from './service.js';
import { waitFor } from './wait-for.js';

/**
 * A race that does not depend on luck: holds the account's row until each of the calls waits for it, then lets them all
 * go on. A call that does not wait for the row fails the test.
 */
export const raceForAccount = <T>(
  service: TestService,
  accountId: string,
  calls: (() => PromiseLike<T>)[],
): Promise<T[]> =>
  raceBehind(service, () => service.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [accountId]), calls);

/** Starts the calls when `first` has been done but not committed, and commits when each of them waits for it. */
export async function raceBehind<T>(
  service: TestService,
  first: () => PromiseLike<unknown>,
  calls: (() => PromiseLike<T>)[],
): Promise<T[]> {
  const started: Promise<T>[] = [];
  await service.hold(async () => {
    await first();
    started.push(...calls.map(async (call) => call()));
    await waitFor(`${calls.length} calls to wait`, async () => {
      const { rows } = await service.database.pool.query(WAITING);
      return rows.length === calls.length;
    });
  });
  return Promise.all(started);
}

/** Runs outside of the transaction, whose view of pg_stat_activity does not change until it ends. */
const WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
