import type { Exit, Memory, ProcessName } from '../processes.js';
import type { AnswerRecords } from './answers.js';
import type { CopyRecords } from './copies.js';
import type { ReportedRecords, ReportedType } from './reported.js';
import type { ScheduleRecords } from './schedules.js';
import type { SendRecords } from './sends.js';
import type { Span } from './spans.js';

/** A send to an address that is known to be suppressed. */
export interface SuppressedSend {
  recipient: string;
  /** UNANSWERED if there was no response. */
  status: number;
}

/** A message as stored. */
export interface MessageRow {
  id: string;
  accountId: string;
  /** Null for messages of campaigns. */
  keyId: string | null;
  campaignId: string | null;
  recipient: string;
  status: string;
  /** By the clock of the database, which a fault may have set; in milliseconds since 1970. */
  createdAt: number;
  opens: number;
  providerMessageId: string | null;
  /** The reasons for further attempts, according to its timeline. */
  interruptions: ('worker_lost' | 'answer_lost' | 'refused')[];
  /** Reported events on its timeline, with their number. */
  recorded: Partial<Record<ReportedType, number>>;
}

/** A time when a copy in flight could lose its worker or its response. */
export interface Disruption extends Span {
  kind: 'worker_killed' | 'worker_stopped' | 'connections_cut';
  /** Null for all workers. */
  process: ProcessName | null;
}

export interface Cap {
  subject: 'account' | 'key';
  id: string;
  limit: number;
  /** As counted by the service. */
  used: number;
}

export interface CampaignRecipient {
  contactId: string;
  /** Not the address if the contact was deleted after it was selected, before it became a recipient. */
  email: string;
  messageLogId: string | null;
  outcome: 'waiting' | 'accepted' | 'skipped';
  reason: 'suppressed' | 'deleted' | 'failed' | null;
}

/** A time during which a campaign was paused or canceled, with the number of its messages at both ends. */
export interface CampaignStop extends Span {
  before: number;
  after: number;
}

/** A campaign as the API shows it at the end. */
export interface CampaignResult {
  id: string;
  name: string;
  status: string;
  progress: { recipients: number; waiting: number; accepted: number; skipped: Record<string, number> };
  recipients: CampaignRecipient[];
  /** The addresses of the contacts that it was to be sent to. */
  audience: readonly string[];
  /** From when a pause or its cancel was answered. */
  stops: readonly CampaignStop[];
}

export interface AddressOfAccount {
  accountId: string;
  address: string;
}

export interface WebhookDelivery {
  accountId: string;
  endpointId: string;
  address: string;
  state: string;
  /** Attempts that failed or were lost. */
  failedAttempts: number;
}

/** The posts that an endpoint received about an address. */
export interface WebhookPosts {
  endpointId: string;
  address: string;
  count: number;
  /** The number of posts without a valid signature. */
  unsigned: number;
}

export interface ErasedPerson {
  address: string;
  /** When the erasure was answered with 200. */
  erasedAt: number | null;
}

export interface PersonMail {
  recipient: string;
  /** When its first byte arrived. */
  from: number;
}

export interface ErasureEvidence {
  people: readonly ErasedPerson[];
  mails: readonly PersonMail[];
  /** Tables that name one of them, with the number of rows. */
  traces: readonly string[];
  /** Suppressions by a hash of the address. */
  hashes: number;
}

/** What the run did to the service, which excuses some of what it observes. */
export interface Disturbances {
  /** When PostgreSQL was down, or its connections were cut. */
  outages: Span[];
  /** When a lock prevented writes. It excuses no 5xx, except for reads after waiting ten seconds. */
  locks: Span[];
  /** When AWS failed, hung or refused connections. */
  awsOutages: Span[];
  disruptions: Disruption[];
  /** When processes were killed, or stopped. */
  processLosses: Span[];
}

/** All observations, from outside and in the tables, after all work was done. */
export interface Evidence extends Disturbances {
  /** When the machine was overloaded: everything takes longer, and the service may refuse requests. */
  overloads: Span[];
  sends: SendRecords;
  schedules: ScheduleRecords;
  suppressedSends: SuppressedSend[];
  answers: AnswerRecords;
  /** Streamed, because they do not fit into memory. */
  messages: AsyncIterable<MessageRow> | Iterable<MessageRow>;
  copies: CopyRecords;
  caps: Cap[];
  campaigns: CampaignResult[];
  /** The address of each contact that was deleted. */
  deletedContacts: ReadonlyMap<string, string>;
  erasures: ErasureEvidence;
  reported: ReportedRecords;
  /** Manual suppressions, bounces, complaints and opt-outs that were answered with 2xx. */
  suppressionCauses: AddressOfAccount[];
  suppressions: AddressOfAccount[];
  endpoints: { id: string; accountId: string }[];
  deliveries: WebhookDelivery[];
  posts: WebhookPosts[];
  memory: Memory[];
  exits: Exit[];
  /** Work that was left at the deadline. */
  unfinished: string[];
}
