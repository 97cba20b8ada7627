import type { Exit, Memory, ProcessName } from '../processes.js';
import type { AnswerRecords } from './answers.js';
import type { CopyRecords } from './copies.js';
import type { ReportedRecords, ReportedType } from './reported.js';
import type { SendRecords } from './sends.js';
import type { Span } from './spans.js';

/** A send to an address after the clients were answered that it is suppressed. */
export interface SuppressedSend {
  recipient: string;
  /** UNANSWERED: no answer came. */
  status: number;
}

/** A message as the tables have it. */
export interface MessageRow {
  id: string;
  accountId: string;
  keyId: string;
  recipient: string;
  status: string;
  opens: number;
  providerMessageId: string | null;
  /** Why attempts were made again, according to its timeline. */
  interruptions: ('worker_lost' | 'answer_lost' | 'refused')[];
  /** Events on its timeline that providers reported, and how often each is there. */
  recorded: Partial<Record<ReportedType, number>>;
}

/** When a copy that was under way could lose its worker or its answer. */
export interface Disruption extends Span {
  kind: 'worker_killed' | 'worker_stopped' | 'connections_cut';
  /** The worker; null: those of all workers. */
  process: ProcessName | null;
}

export interface Cap {
  subject: 'account' | 'key';
  id: string;
  limit: number;
  /** As counted by the service. */
  used: number;
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
  /** Those that failed or got lost. */
  failedAttempts: number;
}

/** What an endpoint received about an address. */
export interface WebhookPosts {
  endpointId: string;
  address: string;
  count: number;
  /** Of these, those without a valid signature. */
  unsigned: number;
}

/** All that was seen, from outside and in the tables, once everything was done. */
export interface Evidence {
  sends: SendRecords;
  suppressedSends: SuppressedSend[];
  answers: AnswerRecords;
  /** When PostgreSQL was away, or its connections were cut. */
  outages: Span[];
  /** When nothing could be stored because of a lock. It excuses no 5xx, except that reads do not wait longer than ten seconds. */
  locks: Span[];
  /** When AWS failed, was silent or took no connections. */
  awsOutages: Span[];
  disruptions: Disruption[];
  /** Streamed: they do not fit into memory at once. */
  messages: AsyncIterable<MessageRow> | Iterable<MessageRow>;
  copies: CopyRecords;
  caps: Cap[];
  reported: ReportedRecords;
  /** By hand, by bounce, by complaint and by opt-out, each as answered 2xx. */
  suppressionCauses: AddressOfAccount[];
  suppressions: AddressOfAccount[];
  endpoints: { id: string; accountId: string }[];
  deliveries: WebhookDelivery[];
  posts: WebhookPosts[];
  memory: Memory[];
  exits: Exit[];
  /** What was still to be done when the time was up. */
  unfinished: string[];
}
