/**
 * The position of an event that the statement inserts: its transaction's id, moved as `event_feed` says. All events of
 * a transaction have the same position.
 */
const POSITION = '(SELECT xid_offset + pg_current_xact_id()::text::bigint FROM event_feed)';

/**
 * All events below this position are in the snapshot of the statement, and no event will be added there: the
 * transactions with lower ids have ended.
 */
export const END_OF_FEED =
  '(SELECT xid_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint FROM event_feed)';

/** The columns of an event by which the feed of the account finds it. */
export const inFeedOf = (accountId: string) => ({ accountId, position: POSITION });

/** The server and its timeline, which changes when a backup is recovered and when a standby is promoted. */
const SERVER = `(
    SELECT concat_ws(' ', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8)) FROM pg_control_system())`;

/** More than the number of transactions that a server executes in its life. */
const TRANSACTIONS_OF_A_SERVER = 2 ** 44;

export const HAS_OTHER_SERVER = `SELECT FROM event_feed WHERE server <> ${SERVER}`;

/** Waits for the transactions that have inserted events by the earlier offset. */
export const LOCK_EVENTS = 'LOCK TABLE email_events IN SHARE ROW EXCLUSIVE MODE';

/** $1 whether to do it for the same server, too. */
export const MOVE_POSITIONS = `
  UPDATE event_feed SET xid_offset = xid_offset + ${TRANSACTIONS_OF_A_SERVER}, server = ${SERVER}
  WHERE $1 OR server <> ${SERVER}`;
