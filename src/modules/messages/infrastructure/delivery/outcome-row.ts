import type { EventType } from '../../../../shared/event-types.js';
import { newId } from '../../../../shared/ids.js';
import type { ClaimedMessage, DeliveryOutcome } from '../../domain/delivery.js';
import { HARD_BOUNCE } from '../../domain/event-rules.js';
import type { MessageStatus } from '../../domain/message-log.js';

interface OutcomeRow {
  messageId: string;
  claimId: string;
  at: Date;
  eventId: string;
  status: MessageStatus;
  error?: string;
  provider?: string;
  providerMessageId?: string;
  nextAttemptAt?: Date;
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
    case 'released':
      return { ...row, status: 'queued', nextAttemptAt: at, uncountedAttempts: 1 };
    case 'suppressed':
      return { ...row, status: 'suppressed', error: outcome.error };
  }
}
