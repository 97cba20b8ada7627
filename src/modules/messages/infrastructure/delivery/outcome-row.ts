import type { EventType } from '../../../../shared/event-types.js';
import { newId } from '../../../../shared/ids.js';
import type { ClaimedMessage, DeliveryOutcome } from '../../domain/delivery.js';
import { HARD_BOUNCE } from '../../domain/event-rules.js';
import type { MessageStatus } from '../../domain/message-log.js';

/** Neither due nor overdue, until RELEASE_HELD. */
const HELD = 'infinity';

interface OutcomeRow {
  messageId: string;
  claimId: string;
  at: Date;
  eventId: string;
  status: MessageStatus;
  error?: string;
  provider?: string;
  providerMessageId?: string;
  nextAttemptAt?: Date | typeof HELD;
  scheduledAt?: Date;
  uncountedAttempts?: number;
  eventType?: EventType;
  data?: Record<string, unknown>;
}

/** The changes that an outcome makes to the message and its timeline. */
export function toOutcomeRow({ id, claimId, attempt }: ClaimedMessage, outcome: DeliveryOutcome, at: Date): OutcomeRow {
  const row = { messageId: id, claimId, at, eventId: newId(at) };
  switch (outcome.kind) {
    case 'sent': {
      const { provider, providerMessageId, response } = outcome;
      const data = { attempt, smtpResponse: response };
      return { ...row, status: 'sent', provider, providerMessageId, eventType: 'sent', data };
    }
    case 'retry': {
      const { error, nextAttemptAt, outcomeUnknown } = outcome;
      const data = { attempt, smtpResponse: error, nextAttemptAt, ...(outcomeUnknown ? { outcomeUnknown } : {}) };
      return { ...row, status: 'queued', error, nextAttemptAt, eventType: 'delayed', data };
    }
    case 'postponed': {
      const { error, nextAttemptAt } = outcome;
      const data = { smtpResponse: error, nextAttemptAt };
      return { ...row, status: 'queued', error, nextAttemptAt, uncountedAttempts: 1, eventType: 'delayed', data };
    }
    case 'failed':
      return {
        ...row,
        status: 'failed',
        error: outcome.error,
        eventType: 'failed',
        data: { attempt, smtpResponse: outcome.error },
      };
    case 'bounced': {
      const { error } = outcome;
      const data = { attempt, bounceType: HARD_BOUNCE, smtpResponse: error };
      return { ...row, status: 'bounced', error, eventType: 'bounced', data };
    }
    case 'opted_out': {
      const { error } = outcome;
      const data = { attempt, reason: 'opted_out', smtpResponse: error };
      return { ...row, status: 'failed', error, eventType: 'failed', data };
    }
    case 'released':
      return { ...row, status: 'queued', nextAttemptAt: outcome.nextAttemptAt ?? at, uncountedAttempts: 1 };
    case 'rescheduled': {
      const { scheduledAt } = outcome;
      const data = { reason: 'quiet_hours', nextAttemptAt: scheduledAt };
      const due = { scheduledAt, nextAttemptAt: scheduledAt, uncountedAttempts: 1 };
      return { ...row, status: 'queued', ...due, eventType: 'delayed', data };
    }
    case 'held':
      return { ...row, status: 'queued', nextAttemptAt: HELD, uncountedAttempts: 1 };
    case 'canceled':
      return { ...row, status: 'canceled', uncountedAttempts: 1, eventType: 'canceled', data: {} };
    case 'suppressed':
      return { ...row, status: 'suppressed', uncountedAttempts: 1, error: outcome.error };
  }
}
