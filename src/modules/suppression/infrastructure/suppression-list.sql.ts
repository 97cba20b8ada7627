import { containsAny, Parameters } from '../../../platform/database/parameters.js';
import type { PageRequest } from '../../../shared/page.js';
import { addressSearchTerms } from '../../../shared/search-terms.js';
import type { SuppressionFilter } from '../application/ports/suppression.repository.js';
import { COLUMNS } from './suppression.sql.js';

interface Statement {
  text: string;
  values: unknown[];
}

export function listSuppressions(
  accountId: string,
  filter: SuppressionFilter,
  { page, limit }: PageRequest,
): Statement {
  const parameters = new Parameters(accountId);
  const text = `
    SELECT ${COLUMNS} FROM suppressions s WHERE ${conditions(parameters, filter)}
    ORDER BY s.id DESC LIMIT ${parameters.add(limit)} OFFSET ${parameters.add((page - 1) * limit)}`;
  return { text, values: parameters.values };
}

export function countSuppressions(accountId: string, filter: SuppressionFilter): Statement {
  const parameters = new Parameters(accountId);
  const text = `SELECT count(*)::integer AS total FROM suppressions s WHERE ${conditions(parameters, filter)}`;
  return { text, values: parameters.values };
}

/** Oldest first, without erased addresses. */
export function listSuppressionsAfter(
  accountId: string,
  filter: SuppressionFilter,
  id: string,
  limit: number,
): Statement {
  const parameters = new Parameters(accountId);
  const text = `
    SELECT ${COLUMNS} FROM suppressions s
    WHERE ${conditions(parameters, filter)} AND s.id > ${parameters.add(id)} AND s.address IS NOT NULL
    ORDER BY s.id LIMIT ${parameters.add(limit)}`;
  return { text, values: parameters.values };
}

/** Only the conditions that the filter needs, because the plan depends on them. $1 is the account. */
function conditions(parameters: Parameters, { search, channel, reason }: SuppressionFilter): string {
  return [
    's.account_id = $1',
    ...(channel === undefined ? [] : [`s.channel = ${parameters.add(channel)}`]),
    ...(reason === undefined ? [] : [`s.reason = ${parameters.add(reason)}`]),
    ...(search === undefined ? [] : [containsAny(parameters, 's.address', addressSearchTerms(search))]),
  ].join(' AND ');
}
