import type { Actor } from '../../../shared/actor.js';
import type { Channel } from '../../../shared/channel.js';

export const CONSENT_PURPOSES = ['marketing', 'tracking'] as const;
export type ConsentPurpose = (typeof CONSENT_PURPOSES)[number];

/** `requested`: a sign-up that was not confirmed yet. It does not change the standing consent. */
export const CONSENT_ACTIONS = ['requested', 'granted', 'withdrawn'] as const;
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];

/** `preferences`: the page of an unsubscribe link. `sms`: a reply with a stop word. */
export const CONSENT_SOURCES = [
  'form',
  'api',
  'import',
  'preferences',
  'one_click',
  'provider',
  'dashboard',
  'sms',
] as const;
export type ConsentSource = (typeof CONSENT_SOURCES)[number];

/** The words that a person agreed to, as they were then. */
export interface ConsentWording {
  /** The version of the form; null for wording that was given with the record. */
  version: number | null;
  text: string;
}

/** The condition under which a record is not written. */
export type ConsentCondition =
  /** Not written if the same record exists: for requests that may be repeated, such as imports. */
  | 'unless_recorded'
  /** Not written if the topic, or without one all topics, are withdrawn: for what is synchronised or imported. */
  | 'unless_withdrawn'
  /** Not written if that was less than REPEATED_WITHIN_MS ago: for what people do, who may do it without end. */
  | 'unless_just_withdrawn';

/** A later repetition is recorded: a consent from in between may be imported yet, and must not stand then. */
export const REPEATED_WITHIN_MS = 3_600_000;

/** A record to be written. */
export interface NewConsent {
  accountId: string;
  channel: Channel;
  /** Valid in its channel, in any spelling. */
  address: string;
  /** Default: the contact of the address at this moment, if there is one. */
  contactId?: string | null;
  /** Default: `marketing`. */
  purpose?: ConsentPurpose;
  /** Default: null, for all topics. */
  topicId?: string | null;
  action: ConsentAction;
  source: ConsentSource;
  actor: Actor;
  /** Not in the future. Default: now, and later than all standing consents of the address. */
  occurredAt?: Date;
  wording?: ConsentWording | null;
  formId?: string | null;
  ip?: string | null;
  userAgent?: string | null;
  /** The message that asked for the consent, or by which it was withdrawn. */
  messageLogId?: string | null;
  /** The campaign of that message. */
  campaignId?: string | null;
  evidence?: string | null;
  condition?: ConsentCondition;
}

/**
 * Appended once and never changed, except that erasing the person replaces the address with its hash and clears IP
 * address, user agent and evidence.
 */
export interface ConsentRecord {
  id: string;
  accountId: string;
  channel: Channel;
  /** As given; once it has been erased, its hash. */
  address: string;
  contactId: string | null;
  purpose: ConsentPurpose;
  topicId: string | null;
  action: ConsentAction;
  source: ConsentSource;
  occurredAt: Date;
  recordedAt: Date;
  wording: ConsentWording | null;
  formId: string | null;
  ip: string | null;
  userAgent: string | null;
  messageLogId: string | null;
  evidence: string | null;
  actor: Actor;
}

/**
 * The consent that stands for a purpose, and for a topic or, with null, for all topics without a later record of their
 * own.
 */
export interface StandingConsent {
  purpose: ConsentPurpose;
  topicId: string | null;
  state: 'granted' | 'withdrawn';
  since: Date;
  consentId: string;
}

/** The consent in effect for a purpose and topic; state `none` without one. */
export type EffectiveConsent =
  StandingConsent | { purpose: ConsentPurpose; topicId: string | null; state: 'none'; since: null; consentId: null };

/**
 * The effective consent for each purpose, and for each topic with a record of its own: the later of that record and the
 * one for all topics. `rows` are all of one address.
 */
export function effectiveConsents(rows: readonly StandingConsent[]): EffectiveConsent[] {
  return CONSENT_PURPOSES.flatMap((purpose) => {
    const ofPurpose = rows.filter((row) => row.purpose === purpose);
    const general = ofPurpose.find(({ topicId }) => topicId === null);
    const topics = ofPurpose.filter(({ topicId }) => topicId !== null);
    const none = { purpose, topicId: null, state: 'none', since: null, consentId: null } as const;
    const ofTopics = topics.map((row) =>
      general && isLater(general, row) ? { ...general, topicId: row.topicId } : row,
    );
    return [general ?? none, ...ofTopics];
  });
}

/** The latest record of an address about marketing for one topic, stop words or other records. */
export interface LatestRecord {
  id: string;
  topicId: string | null;
  action: 'granted' | 'withdrawn';
  /** Whether it is an opt-out by SMS. */
  isStop: boolean;
  occurredAt: Date;
}

/**
 * The records with which START restores the consents from before the opt-out: grants of what was granted, and
 * withdrawals for topics that the person had left before. Null if START changes nothing, because there is no opt-out,
 * or none recorded before `sentAt`, or consent was withdrawn in another way since. `sentAt`: null if that is known to
 * be after the opt-out.
 */
export function restoredByStart(
  latest: readonly LatestRecord[],
  sentAt: Date | null,
): Pick<LatestRecord, 'topicId' | 'action'>[] | null {
  const stop = latest.find(({ isStop }) => isStop);
  if (!stop || (sentAt !== null && stop.occurredAt >= sentAt)) return null;
  const others = latest.filter(({ isStop }) => !isStop);
  const general = others.find(({ topicId }) => topicId === null);
  if (general?.action === 'withdrawn' && isAfter(general, stop)) return null;
  const own = others.filter((record) => record.topicId !== null && (!general || isAfter(record, general)));
  const record = ({ topicId, action }: LatestRecord) => ({ topicId, action });
  if (general?.action !== 'granted')
    return own.filter((topic) => topic.action === 'granted' && isAfter(stop, topic)).map(record);
  if (isAfter(general, stop)) return [];
  return [general, ...own.filter(({ action }) => action === 'withdrawn')].map(record);
}

const isAfter = (a: LatestRecord, b: LatestRecord): boolean =>
  a.occurredAt.getTime() === b.occurredAt.getTime() ? a.id > b.id : a.occurredAt > b.occurredAt;

/** When the topic of the purpose or, without one, all topics were withdrawn; null if they are not. */
export function withdrawnAt(
  rows: readonly StandingConsent[],
  purpose: ConsentPurpose,
  topicId: string | null,
): Date | null {
  const effective = effectiveConsents(rows).filter((consent) => consent.purpose === purpose);
  if (topicId === null && effective.some(({ state }) => state !== 'withdrawn')) return null;
  const standingFor = (topic: string | null) => effective.find((consent) => consent.topicId === topic);
  const standing = standingFor(topicId) ?? standingFor(null);
  return standing?.state === 'withdrawn' ? standing.since : null;
}

const isLater = (a: StandingConsent, b: StandingConsent): boolean =>
  a.since.getTime() === b.since.getTime() ? a.consentId > b.consentId : a.since > b.since;
