import { textList } from '../../../../platform/database/columns.js';
import { containsAny, escapeLike, Parameters } from '../../../../platform/database/parameters.js';
import { searchTerms } from '../../../../shared/search-terms.js';
import { DAY_MS, dayOf, isoDay } from '../../../../shared/utc.js';
import type { AggregateFilter } from '../../domain/message-filter.js';
import { MESSAGE_STATUSES } from '../../domain/message-log.js';
import { type IdRange, idRange, inRange, LEASED, matchesCaller } from './message-rows.sql.js';
import { FIRST_RETAINED_DAY } from '../retention/sql-message-partitions.js';
import { hasTrigram, haveTrigrams, SEARCH_TEXT } from './trigrams.js';

const ROLLUP = ['message_counts', 'message_count_changes'] as const;
const TOPIC_ROLLUP = ['message_topic_counts', 'message_topic_count_changes'] as const;

const SUMS = `sum(messages)::float8 AS messages, sum(opened)::float8 AS opened, sum(opens)::float8 AS opens,
      sum(clicked)::float8 AS clicked, sum(clicks)::float8 AS clicks`;

const MESSAGES = 'message_logs m';
const INDEXED_MESSAGES = 'message_search_texts t JOIN message_logs m ON m.id = t.message_id';
/** OFFSET 0 keeps the planner, which knows nothing of their number, from reading the whole log to join it. */
const WAITING_MESSAGES = `message_search_waiting t CROSS JOIN LATERAL (
      SELECT * FROM message_logs l WHERE l.id = t.message_id AND l.account_id = $1 OFFSET 0) m`;

const TAGGED_MESSAGES = 'message_tags g JOIN message_logs m ON m.id = g.message_id';

/** Moves leased messages from `queued`, their status in the log and the rollup, to `sending`. There are few of them. */
const SHIFTED = `shift.status, sign, sign * (m.opens > 0)::integer, sign * m.opens, sign * (m.clicks > 0)::integer,
      sign * m.clicks
    FROM ${MESSAGES} CROSS JOIN (VALUES ('queued', -1), ('sending', 1)) AS shift (status, sign)`;
const IS_LEASED = `m.status = 'queued' AND ${LEASED}`;

/**
 * Counts by status, ignoring `filter.statuses`. Whole days are read from the rollup; partial days, tags, text
 * filters and scheduled messages are counted from the messages. One statement gives a consistent snapshot.
 */
export function countMessages(
  accountId: string,
  filter: AggregateFilter,
  unicode: boolean,
): { text: string; values: unknown[] } {
  const parameters = new Parameters(accountId);
  const { search, subject, tag, scheduled } = filter;
  const byMessage = search !== null || subject !== null || tag !== null || scheduled;
  const counted = byMessage
    ? [messages(parameters, filter, idRange(filter, null), unicode)]
    : [
        ...wholeDays(parameters, filter),
        ...partialDays(filter).map((range) => messages(parameters, filter, range, unicode)),
      ];
  const text = `
    SELECT status, ${SUMS}
    FROM (${[...counted, leased(parameters, filter)].join(' UNION ALL ')})
      AS counted (status, messages, opened, opens, clicked, clicks)
    GROUP BY status`;
  return { text, values: parameters.values };
}

function wholeDays(parameters: Parameters, filter: AggregateFilter): string[] {
  const { from, before } = days(filter);
  const where = [
    `account_id = $1 AND day >= (${FIRST_RETAINED_DAY})`,
    ...(from ? [`day >= ${parameters.add(isoDay(from))}`] : []),
    ...(before ? [`day < ${parameters.add(isoDay(before))}`] : []),
    ...(filter.apiKeyId === null ? [] : [`api_key_id = ${parameters.add(filter.apiKeyId)}`]),
    ...(filter.channel === null ? [] : [`channel = ${parameters.add(filter.channel)}`]),
    ...(filter.topicId === null ? [] : [`topic_id = ${parameters.add(filter.topicId)}`]),
    // The second condition matches the partial index of campaigns.
    ...(filter.campaignId === null ? [] : [`campaign_id = ${parameters.add(filter.campaignId)} AND campaign_id <> ''`]),
  ].join(' AND ');
  const rollup = filter.topicId === null ? ROLLUP : TOPIC_ROLLUP;
  return rollup.map((table) => `SELECT status, messages, opened, opens, clicked, clicks FROM ${table} WHERE ${where}`);
}

/** $1 account, $2 campaigns. Counts by campaign and status, in one consistent snapshot. */
export const COUNT_BY_CAMPAIGN = `
  SELECT "campaignId", status, ${SUMS}
  FROM (
    ${ROLLUP.map(
      (table) => `
    SELECT campaign_id, status, messages, opened, opens, clicked, clicks FROM ${table}
    WHERE account_id = $1 AND campaign_id = ANY ($2) AND campaign_id <> '' AND day >= (${FIRST_RETAINED_DAY})`,
    ).join(' UNION ALL ')}
    UNION ALL
    SELECT m.campaign_id, ${SHIFTED} WHERE m.account_id = $1 AND m.campaign_id = ANY ($2) AND ${IS_LEASED}
  ) AS counted ("campaignId", status, messages, opened, opens, clicked, clicks)
  GROUP BY "campaignId", status`;

/** The whole UTC days in the filter's range; none if `from` is not before `before`. */
function days({ from, before }: AggregateFilter): { from: Date | null; before: Date | null } {
  return { from: from && dayOf(new Date(from.getTime() + DAY_MS - 1)), before: before && dayOf(before) };
}

/** The parts of the filter's range before and after its whole days. */
function partialDays(filter: AggregateFilter): IdRange[] {
  const whole = days(filter);
  const withoutDays = whole.from && whole.before && whole.from >= whole.before;
  const ranges = withoutDays
    ? [filter]
    : [
        { from: filter.from, before: whole.from },
        { from: whole.before, before: filter.before },
      ];
  return ranges.filter(isNotEmpty).map((range) => idRange(range, null));
}

const isNotEmpty = ({ from, before }: { from: Date | null; before: Date | null }): boolean =>
  from !== null && before !== null && from < before;

function messages(parameters: Parameters, filter: AggregateFilter, range: IdRange, unicode: boolean): string {
  const each = selected(parameters, filter, range, unicode).map(
    (from) => `
    SELECT m.status, 1, (m.opens > 0)::integer, m.opens, (m.clicks > 0)::integer, m.clicks
    FROM ${from}`,
  );
  return each.join(' UNION ALL ');
}

function leased(parameters: Parameters, filter: AggregateFilter): string {
  return `
    SELECT ${SHIFTED}
    WHERE ${conditions(parameters, filter, idRange(filter, null), SEARCH_TEXT)} AND ${IS_LEASED}`;
}

/** FROM and WHERE for the parts of the messages `m` that the filter selects, by the tags or the text index. */
function selected(parameters: Parameters, filter: AggregateFilter, range: IdRange, unicode: boolean): string[] {
  const { search, subject, tag } = filter;
  if (tag !== null)
    return [
      `${TAGGED_MESSAGES} WHERE g.account_id = $1 AND g.tag = ${parameters.add(tag)}
      AND ${inRange(parameters, range, 'g.message_id')} AND ${conditions(parameters, filter, range, SEARCH_TEXT)}`,
    ];
  const isIndexed =
    (search !== null && haveTrigrams(searchTerms(search), unicode)) ||
    (subject !== null && hasTrigram(subject, unicode));
  if (!isIndexed) return [`${MESSAGES} WHERE ${conditions(parameters, filter, range, SEARCH_TEXT)}`];
  const ending = subject === null ? '' : ` AND t.text LIKE lower(${parameters.add(`%\n${escapeLike(subject)}`)})`;
  const where = `t.account_id = $1 AND ${conditions(parameters, filter, range, 't.text')}${ending}`;
  return [INDEXED_MESSAGES, WAITING_MESSAGES].map((from) => `${from} WHERE ${where}`);
}

function conditions(parameters: Parameters, filter: AggregateFilter, range: IdRange, text: string): string {
  const { search, subject, campaignId, topicId } = filter;
  return [
    matchesCaller(parameters, filter),
    inRange(parameters, range),
    ...(campaignId === null ? [] : [`m.campaign_id = ${parameters.add(campaignId)}`]),
    // The index of topics has the status before the id.
    ...(topicId === null ? [] : [`m.status IN (${textList(MESSAGE_STATUSES)})`]),
    ...(search === null ? [] : [containsAny(parameters, text, searchTerms(search))]),
    ...(subject === null ? [] : [`m.subject = ${parameters.add(subject)}`]),
  ].join(' AND ');
}
