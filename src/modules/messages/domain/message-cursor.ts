import { createHash } from 'node:crypto';

import { invalidCursor } from '../../../shared/cursor-page.js';
import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import type { MessageFilter } from './message-filter.js';

const ID_LENGTH = 25;
const FINGERPRINT_LENGTH = 11;

/**
 * Identifies the rest of a filtered list: the messages older than an id. New and changed messages neither repeat nor
 * skip a row. The fingerprint binds the cursor to its account and filter.
 */
export const writeCursor = (accountId: string, filter: MessageFilter, beforeId: string): string =>
  Buffer.from(beforeId + fingerprint(accountId, filter, beforeId)).toString('base64url');

/** Returns the id. Throws `invalid` for a cursor of another filter or account. */
export function readCursor(accountId: string, filter: MessageFilter, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = text.slice(0, ID_LENGTH);
  if (!isId(id) || text.length !== ID_LENGTH + FINGERPRINT_LENGTH) throw invalidCursor();
  if (writeCursor(accountId, filter, id) !== cursor)
    throw DomainError.invalid('cursor belongs to a list with other filters');
  return id;
}

function fingerprint(accountId: string, filter: MessageFilter, beforeId: string): string {
  const { apiKeyId, channel, tag, topicId, scheduled, statuses, search, from, before } = filter;
  const filters = [accountId, apiKeyId, channel, statuses, search, from, before, beforeId];
  // Cursors of earlier versions, which knew neither tags nor schedules nor topics, stay valid.
  const later = [
    ...(tag === null ? [] : [tag]),
    ...(scheduled ? [{ scheduled }] : []),
    ...(topicId === null ? [] : [{ topicId }]),
  ];
  const query = JSON.stringify([...filters, ...later]);
  return createHash('sha256').update(query).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}
