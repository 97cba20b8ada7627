import type { MessageSlice } from '../application/ports/message-reader.js';
import type { MessageLog } from '../domain/message-log.js';

/** Of rows of which one more than the limit was asked for, to see whether the list goes on. */
export function toSlice(rows: MessageLog[], limit: number): MessageSlice {
  const items = rows.slice(0, limit);
  return { items, resumeBefore: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
