import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import {
  DeliveryJobs,
  GroupIntake,
  type IntakeResult,
  isPlain,
  MessageIntake,
  type NewGroup,
} from '../../messages/index.js';
import type { EmailRequest } from '../domain/send-request.js';
import { suppressedText } from '../domain/submission-refused.js';

/** Stores a prepared message with its copies, attachments and labels, all or nothing, and enqueues the delivery. */
@Injectable()
export class StoreMessages {
  constructor(
    private readonly intake: MessageIntake,
    private readonly groups: GroupIntake,
    private readonly jobs: DeliveryJobs,
  ) {}

  /**
   * `recipientHash` is that of a plain message whose recipient has not been looked up in the suppression list: throws
   * `invalid` if it is suppressed.
   */
  async store(
    { keyLimit, idempotencyKey }: Pick<EmailRequest, 'keyLimit' | 'idempotencyKey'>,
    group: NewGroup,
    recipientHash?: string,
  ): Promise<IntakeResult> {
    const result = isPlain(group)
      ? await this.intake.accept(group.message, { keyLimit, idempotencyKey, recipientHash })
      : await this.groups.accept(group, keyLimit, idempotencyKey);
    if (result.outcome === 'suppressed') {
      const { channel, recipient } = group.message;
      throw DomainError.invalid(suppressedText(channel, recipient), 'suppressed');
    }
    if (result.outcome === 'accepted') enqueueGroup(this.jobs, group);
    return result;
  }
}

/** Jobs for the messages of the group. Scheduled ones get theirs when their time has come. */
export function enqueueGroup(jobs: DeliveryJobs, { message, copies }: NewGroup): void {
  const { accountId, channel, scheduledAt } = message;
  if (scheduledAt != null) return;
  for (const { id: messageId } of [message, ...copies]) jobs.enqueue({ messageId, accountId, lane: channel });
}
