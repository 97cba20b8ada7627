import { DomainError } from './domain-error.js';
import { isId } from './ids.js';

/** One page of a list that is read onwards from a cursor. */
export interface CursorPage<T> {
  items: T[];
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
}

export interface CursorRequest {
  /** The `nextCursor` of the previous page; without it, the first page. */
  cursor?: string | undefined;
  limit: number;
}

/** The cursor as the id after which the page begins; null for the first page. */
export function readIdCursor(cursor: string | undefined): string | null {
  if (cursor !== undefined && !isId(cursor)) throw invalidCursor();
  return cursor ?? null;
}

export const invalidCursor = (): DomainError => DomainError.invalid('cursor must be the nextCursor of an earlier page');

/** The page of `rows`, of which one more than `limit` was read. */
export function toCursorPage<T>(rows: readonly T[], limit: number, idOf: (row: T) => string): CursorPage<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? idOf(last) : null };
}
