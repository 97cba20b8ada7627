import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import {
  type AcceptedEntry,
  type BatchEntry,
  BatchIntake,
  capError,
  type CapUsage,
  DeliveryJobs,
  type NewBatch,
  type NewGroup,
} from '../../messages/index.js';
import { requireNoFault } from '../domain/batch-fault.js';
import { enqueueGroup } from './store-messages.service.js';

const MAX_REFUSAL_LENGTH = 1_000;

/** A message of a batch that has passed all checks but the daily limits. */
export interface PreparedMessage {
  group: NewGroup;
  /** What the response says about it. */
  entry: Omit<AcceptedEntry, 'index' | 'messageId'>;
}

/** Counts and stores prepared messages in one transaction, and enqueues their delivery. */
@Injectable()
export class StoreBatch {
  constructor(
    private readonly intake: BatchIntake,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
  ) {}

  /** Throws the first error if none of the messages is accepted. */
  async store(
    { accountId, apiKeyId, keyLimit, mode, idempotencyKey }: Omit<NewBatch, 'groups' | 'entries'>,
    prepared: readonly (PreparedMessage | DomainError)[],
  ): Promise<{ outcome: 'accepted'; entries: readonly BatchEntry[]; usage: CapUsage } | { outcome: 'duplicate' }> {
    const groups = prepared.flatMap((message) => (message instanceof DomainError ? [] : [message.group]));
    if (groups.length === 0) requireNoFault(prepared.slice(0, 1));
    const entries = prepared.map(toEntry);
    const batch = { accountId, apiKeyId, keyLimit, mode, groups, entries, idempotencyKey };
    const result = await this.intake.accept(batch);
    if (result.outcome === 'over_cap') {
      if (mode === 'valid') requireNoFault(prepared.slice(0, 1));
      throw capError(result.cap, this.clock.now());
    }
    if (result.outcome === 'duplicate') return result;
    const accepted = new Set(result.entries.flatMap((entry) => ('messageId' in entry ? entry.messageId : [])));
    for (const group of groups) if (accepted.has(group.message.id)) enqueueGroup(this.jobs, group);
    return result;
  }
}

/** Refusals are stored with the idempotency key, and may repeat what the caller sent. */
const shortened = (text: string): string =>
  text.length <= MAX_REFUSAL_LENGTH ? text : `${text.slice(0, MAX_REFUSAL_LENGTH).toWellFormed()}…`;

function toEntry(message: PreparedMessage | DomainError, index: number): BatchEntry {
  if (!(message instanceof DomainError)) return { index, messageId: message.group.message.id, ...message.entry };
  return { index, refusal: { kind: message.kind, message: shortened(message.message) } };
}
