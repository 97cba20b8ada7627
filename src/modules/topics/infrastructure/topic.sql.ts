import { selectList } from '../../../platform/database/columns.js';
import { lacksConsent, standingState } from '../../consent/index.js';
import { TopicSchema } from './topic.schema.js';

/** SQL expressions that identify a recipient and a topic. */
interface AskedTopic {
  account: string;
  channel: string;
  /** Normalised. */
  address: string;
  /** As in AskedConsent. */
  hash?: string;
  /** Null if no topic is asked for. */
  topic: string;
}

/** The account whose topics count: for a test account, the one that it belongs to. */
const ownerOf = (account: string): string =>
  `(SELECT coalesce(a.test_of, a.id) FROM accounts a WHERE a.id = ${account})`;

/** An SQL expression: whether the address with this standing consent is out of a topic with this default. */
export const isOutOfTopic = (state: string, byDefault: string): string =>
  `coalesce(${state} = 'withdrawn', ${byDefault} = 'out')`;

/** Whether the address is out of the topic `t`. The consents are those of the account itself. */
const isOut = (asked: AskedTopic): string =>
  isOutOfTopic(standingState({ ...asked, purpose: "'marketing'" }), 't.by_default');

/**
 * An SQL expression: why a message with the topic must not go to the address. `out_of_topic`: the person has
 * unsubscribed from it, or has not subscribed although that is needed; `unknown_topic`: the account does not have it,
 * or it was deleted. Null if the message may go, or if there is no topic, which costs nothing. For few addresses: it
 * costs four look-ups by key.
 */
export const topicRefusal = (asked: AskedTopic): string => `CASE WHEN ${asked.topic} IS NOT NULL THEN nullif(coalesce((
    SELECT CASE WHEN ${isOut(asked)} THEN 'out_of_topic' WHEN t.deleted_at IS NOT NULL THEN 'unknown_topic' ELSE '' END
    FROM topics t WHERE t.id = ${asked.topic} AND t.account_id = ${ownerOf(asked.account)}), 'unknown_topic'), '') END`;

/** An SQL expression: the name of a topic that `topicRefusal` has found. */
export const topicName = (topic: string): string => `(SELECT t.name FROM topics t WHERE t.id = ${topic})`;

/** A Topic from the row `t`. */
const COLUMNS = selectList(TopicSchema, 't');

/** $1 account, $2 ids. */
export const FIND_BY_IDS = `
  SELECT ${COLUMNS} FROM topics t WHERE t.account_id = ${ownerOf('$1')} AND t.id = ANY ($2)`;

/** $1 account, $2 id. */
export const FIND_AND_KEEP = `
  SELECT ${COLUMNS} FROM topics t
  WHERE t.account_id = ${ownerOf('$1')} AND t.id = $2 AND t.deleted_at IS NULL FOR SHARE OF t`;

const OF_CONTACT = { account: '$1', channel: "'email'", address: 'c.email', topic: '$3::text' };

/** $1 account, $2 normalised addresses of contacts, $3 topic. */
export const FIND_OUT = `
  SELECT c.email FROM unnest($2::text[]) AS c (email) WHERE ${topicRefusal(OF_CONTACT)} = 'out_of_topic'`;

const CHOICE = { account: '$1', channel: '$2', address: '$3', hash: '$4', topic: 't.id' };

/** $1 account, $2 channel, $3 address, $4 its hash, $5 the topic that is listed although it was deleted. */
export const LIST_CHOICES = `
  SELECT ${COLUMNS}, ${isOut(CHOICE)} AS "isOut", ${lacksConsent({ ...CHOICE, purpose: "'marketing'" })} AS "lacksConsent"
  FROM topics t WHERE t.account_id = ${ownerOf('$1')} AND (t.deleted_at IS NULL OR t.id = $5) ORDER BY t.id`;
