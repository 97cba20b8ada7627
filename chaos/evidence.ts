import type { Exit, Memory } from './crew.js';
import type { Span } from './spans.js';

/** A message that a client wanted sent. Each has a recipient of its own. */
export interface Send {
  accountId: string;
  keyId: string;
  recipient: string;
  /** `cut`: no answer came, so the message may have been accepted or not. */
  status: number | 'cut';
  /** Its answers 201: at most one, unless it is insisted on. */
  accepted: Accepted[];
  /** It has an Idempotency-Key and is repeated until it is answered 201, some once more after that. */
  isInsisted: boolean;
  /** The address had been suppressed before the request began. */
  isSuppressed: boolean;
}

export interface Accepted {
  messageId: string;
  /** The service knew the request already. */
  isReplayed: boolean;
}

/** An answer to any request of the clients, of providers or of the account's people. */
export interface Answer extends Span {
  what: string;
  status: number;
}

export interface MessageRow {
  id: string;
  accountId: string;
  keyId: string;
  recipient: string;
  status: string;
  opens: number;
  /** Why attempts were made again, as the timeline tells. */
  interruptions: ('worker_lost' | 'answer_lost' | 'refused')[];
}

export interface Cap {
  subject: 'account' | 'key';
  id: string;
  limit: number;
  /** What the service counted. */
  used: number;
}

/** What a provider told of a message until it was answered 200, often more than once. */
export interface Report {
  messageId: string;
  accountId: string;
  recipient: string;
  type: 'delivered' | 'bounced' | 'complained' | 'opened';
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

/** What an endpoint received. */
export interface WebhookPost {
  endpointId: string;
  address: string;
  isSigned: boolean;
}

/** All that was seen, from outside and in the tables, once everything was quiet. */
export interface Evidence {
  sends: Send[];
  answers: Answer[];
  /** When PostgreSQL was away, or its connections were cut. */
  outages: Span[];
  /** When nothing could be stored because of a lock. Nothing has to answer 5xx for one. */
  locks: Span[];
  messages: MessageRow[];
  /** Message ids as their mails arrived, repeated ones too. */
  received: string[];
  caps: Cap[];
  reports: Report[];
  /** Events on timelines that providers told of. */
  recorded: { messageId: string; type: string; count: number }[];
  /** Suppressed by hand, as answered 200 or 201. */
  suppressedByHand: AddressOfAccount[];
  suppressions: AddressOfAccount[];
  endpoints: { id: string; accountId: string }[];
  deliveries: WebhookDelivery[];
  posts: WebhookPost[];
  memory: Memory[];
  exits: Exit[];
  /** What was still to be done when the time was up; empty when it became quiet. */
  unfinished: string[];
}
