import type { Lease } from '../../../shared/lease.js';

export const DELIVERY_STATES = [
  'pending',
  'in_progress',
  'retrying',
  'delivered',
  'failed',
  'failed_permanent',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

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

/** A delivery that is leased to this process for one attempt, and where it goes. */
export interface ClaimedDelivery {
  lease: Lease;
  id: string;
  accountId: string;
  endpointId: string;
  event: string;
  body: string;
  /** Of this attempt. */
  attemptId: string;
  /** From 1. */
  number: number;
  /** When it fell due. */
  dueAt: Date;
  url: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
}

/** How an attempt went, whatever that means for its delivery. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  requestHeaders: Record<string, string>;
  /** Null without an answer; then there is an error. */
  statusCode: number | null;
  retryAfter: string | null;
  /** The beginning of what was answered. */
  responseBody: string | null;
  error: string | null;
}

export interface DeliveryRecord {
  id: string;
  endpointId: string;
  event: string;
  state: DeliveryState;
  /** Made so far. */
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  completedAt: Date | null;
  /** The email address or phone number that the event is about; for a reply, its sender; null if there is none. */
  recipient: string | null;
}

export interface AttemptRecord {
  id: string;
  number: number;
  startedAt: Date;
  /** Null, like the headers, for an attempt whose worker was lost. */
  durationMs: number | null;
  requestHeaders: Record<string, string> | null;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
}

export interface DeliveryWithAttempts extends DeliveryRecord {
  body: string;
  /** In the order of their numbers. */
  recordedAttempts: AttemptRecord[];
}
