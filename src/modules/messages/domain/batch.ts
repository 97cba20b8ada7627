import type { DomainErrorKind } from '../../../shared/domain-error.js';
import type { ReachedCap } from './daily-caps.js';
import type { IdempotencyKey } from './idempotency.js';
import type { NewGroup } from './message-group.js';
import type { MessageLog, MessageRole } from './message-log.js';

/** `all`: all messages are accepted, or none; `valid`: those that are good and have room, in order. */
export const BATCH_MODES = ['all', 'valid'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

export interface AcceptedEntry extends Partial<Pick<MessageLog, 'segments' | 'encoding'>> {
  index: number;
  messageId: string;
  copies?: readonly { email: string; role: Exclude<MessageRole, 'to'>; messageId: string }[];
}

/** What became of a message of a batch. Stored as JSON with the idempotency key. */
export type BatchEntry =
  | AcceptedEntry
  | { index: number; refusal: { kind: DomainErrorKind; message: string } }
  | { index: number; cap: ReachedCap };

/** The messages of one request, counted and stored together. */
export interface NewBatch {
  accountId: string;
  apiKeyId: string;
  keyLimit: number | null;
  mode: BatchMode;
  /** Those without a fault; at least one. Of the same account and key. */
  groups: readonly NewGroup[];
  /** One for each message of the request, in order, as they are if all groups are accepted. */
  entries: readonly BatchEntry[];
  idempotencyKey: IdempotencyKey | undefined;
}
