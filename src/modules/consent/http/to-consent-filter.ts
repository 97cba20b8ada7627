import { DomainError } from '../../../shared/domain-error.js';
import { parseIsoTime } from '../../../shared/iso-time.js';
import { DAY_MS } from '../../../shared/utc.js';
import type { ConsentQuery } from '../application/read-consents.service.js';
import type { ListConsentsDto } from './dto/list-consents.dto.js';

/** A date as `to` includes the whole day. */
export function toConsentFilter({ from, to, ...filter }: Omit<ListConsentsDto, 'cursor' | 'limit'>): ConsentQuery {
  const start = from === undefined ? undefined : parseIsoTime(from)?.at;
  const end = to === undefined ? undefined : parseIsoTime(to);
  const before = end?.isDate ? new Date(end.at.getTime() + DAY_MS) : end?.at;
  if (start && before && start > before) throw DomainError.invalid('from must not be after to');
  return { ...filter, ...(start && { from: start }), ...(before && { to: before }) };
}
