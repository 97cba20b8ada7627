import type { Lease } from '../../../concurrency/lease.js';

export const DELIVERY_STATES = [
  'pending',
  'in_progress',
  'retrying',
  'delivered',
  'failed',
  'failed_permanent',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The hours that the activity of an endpoint covers. */
export const ACTIVITY_HOURS = 48;

/** One event for one endpoint. */
export interface NewDelivery {
  id: string;
  accountId: string;
  endpointId: string;
  eventId: string;
  event: string;
  body: string;
  createdAt: Date;
}

/** A delivery leased to this process for one attempt, with its destination. */
export interface ClaimedDelivery {
  lease: Lease;
  id: string;
  accountId: string;
  endpointId: string;
  event: string;
  body: string;
  attemptId: string;
  /** The number of this attempt, from 1. */
  number: number;
  /** The time when it was due before it was claimed; restored when the claim is released. */
  dueAt: Date;
  url: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
}

/** The result of an attempt; `classifyAttempt` derives the state of the delivery from it. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  requestHeaders: Record<string, string>;
  /** Null without a response; `error` is set then. */
  statusCode: number | null;
  retryAfter: string | null;
  /** The first ones; null without a response. */
  responseHeaders: Record<string, string> | null;
  /** The beginning of the response body. */
  responseBody: string | null;
  error: string | null;
}

export interface DeliveryRecord {
  id: string;
  endpointId: string;
  event: string;
  state: DeliveryState;
  /** The number of attempts so far. */
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  completedAt: Date | null;
  /** The email address or phone number of the event; for a reply its sender; null if there is none. */
  recipient: string | null;
  /** The status of the response to the last recorded attempt; null without an attempt or a response. */
  lastStatusCode: number | null;
  lastDurationMs: number | null;
}

/** The present states of the deliveries whose events occurred in one hour. */
export interface DeliveryBucket {
  /** The start of the hour. */
  from: Date;
  delivered: number;
  failed: number;
  /** Deliveries that have not ended. */
  waiting: number;
}

export interface AttemptRecord {
  id: string;
  number: number;
  startedAt: Date;
  /** Null, like the headers, if the worker was lost during the attempt. */
  durationMs: number | null;
  requestHeaders: Record<string, string> | null;
  statusCode: number | null;
  error: string | null;
  /** Null without a response, and for attempts before these headers were stored. */
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
}

export interface DeliveryWithAttempts extends DeliveryRecord {
  body: string;
  /** In order of their numbers. */
  recordedAttempts: AttemptRecord[];
}
