import type { DomainErrorKind } from '../../../shared/domain-error.js';
import type { ErrorCode } from '../../../shared/error-codes.js';
import type { MessageRole } from '../../../shared/mail-recipients.js';
import type { ReachedCap } from './daily-caps.js';
import type { MessageLog } from './message-log.js';

/** `all`: all messages are accepted, or none; `valid`: the valid messages that have room are accepted, in order. */
export const BATCH_MODES = ['all', 'valid'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

export interface AcceptedEntry extends Partial<Pick<MessageLog, 'segments' | 'encoding'>> {
  index: number;
  messageId: string;
  copies?: readonly { email: string; role: MessageRole; messageId: string }[];
}

/** The result of one message of a batch. Stored as JSON with the idempotency key. */
export type BatchEntry =
  | AcceptedEntry
  | { index: number; refusal: { kind: DomainErrorKind; code: ErrorCode; message: string } }
  | { index: number; cap: ReachedCap };
