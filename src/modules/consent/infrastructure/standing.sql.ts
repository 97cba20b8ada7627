/** SQL expressions that identify the consent to look up. */
interface AskedConsent {
  account: string;
  channel: string;
  /** Normalised. */
  address: string;
  /**
   * The hash of the address in hexadecimal; may be null. Consents that stood when the person was erased are stored
   * under it, and count again once the address may be used. Absent for contacts: `restoreErased` has moved those back.
   */
  hash?: string;
  purpose: string;
  /** Null if no topic is asked for. */
  topic: string | null;
}

const isAbout = (topic: string | null): string =>
  topic === null ? "s.topic_id = ''" : `s.topic_id IN ('', coalesce(${topic}, ''))`;

/**
 * An SQL expression: the state of the standing consent, `granted` or `withdrawn`; null if there is none. For few
 * addresses: it costs one look-up by key.
 */
export const standingState = ({ account, channel, address, hash, purpose, topic }: AskedConsent): string => `(
    SELECT s.state FROM standing_consents s
    WHERE s.account_id = ${account} AND s.channel = ${channel} AND s.purpose = ${purpose}
      AND s.address ${hash === undefined ? `= ${address}` : `IN (${address}, ${hash})`}
      AND ${isAbout(topic)}
    ORDER BY s.occurred_at DESC, s.consent_id DESC LIMIT 1)`;

/** Whether the account or, for a test account, the one that it belongs to has this setting. */
const hasSetting = (account: string, setting: string): string => `EXISTS (
    SELECT FROM accounts a JOIN accounts o ON o.id = coalesce(a.test_of, a.id) WHERE a.id = ${account} AND o.${setting})`;

/** An SQL expression: whether the account requires consent for campaigns. */
export const isRequired = (account: string): string => hasSetting(account, "consent_required_for = 'campaigns'");

/**
 * An SQL expression: whether a consent that the account requires for campaigns is lacking. For few addresses: it costs
 * one look-up by key if consent is required, and none if it is not.
 */
export const lacksConsent = (asked: AskedConsent): string =>
  `CASE WHEN ${isRequired(asked.account)} THEN ${standingState(asked)} IS DISTINCT FROM 'granted' ELSE false END`;

/** An SQL expression: whether an email address has a standing consent to tracking. Costs one look-up by key. */
export const isTrackingGranted = (account: string, address: string): string =>
  `${standingState({ account, channel: "'email'", address, purpose: "'tracking'", topic: null })} IS NOT DISTINCT FROM 'granted'`;

/**
 * An SQL expression: whether the opens and clicks of an email address must not be recorded, because the account asks
 * for a consent that is lacking. Costs like `lacksConsent`.
 */
export const lacksTrackingConsent = (account: string, address: string): string =>
  `CASE WHEN ${hasSetting(account, "tracking_consent = 'required'")}
    THEN NOT ${isTrackingGranted(account, address)} ELSE false END`;

/**
 * A join for as many addresses as an account has: `standing` has one row for each of them with a standing consent, and
 * `standing.state` is its state.
 */
export const joinStanding = ({ account, channel, address, purpose, topic }: AskedConsent): string => `
  LEFT JOIN (
    SELECT ${topic === null ? '' : 'DISTINCT ON (s.address)'} s.address, s.state FROM standing_consents s
    WHERE s.account_id = ${account} AND s.channel = ${channel} AND s.purpose = ${purpose} AND ${isAbout(topic)}
    ${topic === null ? '' : 'ORDER BY s.address, s.occurred_at DESC, s.consent_id DESC'}
  ) standing ON standing.address = ${address}`;

/**
 * An SQL query: the withdrawals from topics by means of campaign messages, as `campaign_id` and `address`, which is a
 * hash in hexadecimal once it was erased.
 */
export const topicWithdrawals = (account: string, campaigns: string): string => `
  SELECT r.campaign_id, r.address FROM consent_records r
  WHERE r.account_id = ${account} AND r.campaign_id = ANY (${campaigns}) AND r.action = 'withdrawn'
    AND r.topic_id IS NOT NULL`;
