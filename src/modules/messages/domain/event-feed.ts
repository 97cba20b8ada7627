import type { EventType } from '../../../shared/event-types.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { EmailEvent } from './message-log.js';

/** Selects events of an account. Null means no restriction. */
export interface EventFilter {
  /** Only events of messages sent by this key. */
  apiKeyId: string | null;
  types: readonly EventType[] | null;
}

/** The position of an event in the feed of its account. Events of one transaction follow each other by id. */
export interface FeedPosition {
  transaction: bigint;
  id: string;
}

export interface FeedEvent extends EmailEvent {
  position: FeedPosition;
}

/** The position before all events. */
export const FEED_START: FeedPosition = { transaction: 0n, id: '' };

/** The largest bigint of PostgreSQL. */
const MAX_TRANSACTION = 2n ** 63n - 1n;
const CURSOR = /^(0|[1-9]\d{0,18})\.(c[a-z0-9]{24})?$/;

export const isAfter = (a: FeedPosition, b: FeedPosition): boolean =>
  a.transaction > b.transaction || (a.transaction === b.transaction && a.id > b.id);

export const writeFeedCursor = ({ transaction, id }: FeedPosition): string =>
  Buffer.from(`${transaction}.${id}`).toString('base64url');

/** Throws `invalid` for anything but a cursor that was written. */
export function readFeedCursor(cursor: string): FeedPosition {
  const [, transaction = '', id = ''] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const position = { transaction: BigInt(transaction), id };
  if (transaction === '' || position.transaction > MAX_TRANSACTION || writeFeedCursor(position) !== cursor)
    throw DomainError.invalid('after must be the nextCursor of an earlier response');
  return position;
}
