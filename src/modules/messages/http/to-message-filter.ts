import type { Caller } from '../../../platform/http/access/caller.js';
import { DomainError } from '../../../shared/domain-error.js';
import { parseIsoTime } from '../../../shared/iso-time.js';
import { DAY_MS } from '../../../shared/utc.js';
import type { MessageFilter } from '../domain/message-filter.js';
import { MESSAGE_STATUSES } from '../domain/message-log.js';
import type { FilterMessagesDto } from './dto/message-filters.dto.js';

/** An unescaped plus sign before a phone number in the query arrives as a space. */
const UNESCAPED_PLUS = /^ (?=\d+$)/;

/** No message was accepted outside of these times. */
const RANGE = { from: new Date(0), until: new Date('2100-01-01T00:00:00Z') };

/** The key whose messages the caller may see; null for a session, which sees all messages of the account. */
export const keyOf = (caller: Caller): string | null => (caller.kind === 'key' ? caller.apiKeyId : null);

export function toMessageFilter(
  caller: Caller,
  { channel, tag, topicId, scheduled, status, search, from, to }: FilterMessagesDto,
): MessageFilter {
  const start = from === undefined ? null : parseIsoTime(from);
  const end = to === undefined ? null : parseIsoTime(to);
  const before = end?.isDate ? new Date(end.at.getTime() + DAY_MS) : (end?.at ?? null);
  if (start && before && (end?.isDate ? start.at >= before : start.at > before))
    throw DomainError.invalid('from must not be after to');
  const statuses = MESSAGE_STATUSES.filter((known) => status?.includes(known));
  return {
    apiKeyId: keyOf(caller),
    channel: channel ?? null,
    tag: tag ?? null,
    topicId: topicId ?? null,
    scheduled: scheduled !== undefined,
    statuses: status && statuses.length < MESSAGE_STATUSES.length ? statuses : null,
    search: search?.replace(UNESCAPED_PLUS, '+') ?? null,
    from: start && clamp(start.at),
    before: before && clamp(before),
  };
}

const clamp = (time: Date): Date => {
  if (time < RANGE.from) return RANGE.from;
  return time > RANGE.until ? RANGE.until : time;
};
