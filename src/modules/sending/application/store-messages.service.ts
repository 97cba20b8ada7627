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
import { ContentMemory, type TakeMemory } from './content-memory.js';

/** In characters. As many shorter contents as there may be requests take little memory. */
const LONG = 20_000;

/** Stores a prepared message with its copies, attachments and labels, all or nothing, and enqueues the delivery. */
@Injectable()
export class StoreMessages {
  constructor(
    private readonly intake: MessageIntake,
    private readonly groups: GroupIntake,
    private readonly jobs: DeliveryJobs,
    private readonly memory: ContentMemory,
  ) {}

  /**
   * `recipientHash` is that of a plain message whose recipient has not been looked up in the suppression list: throws
   * `invalid` if it is suppressed. Throws `unavailable` if too many long contents wait to be stored.
   */
  async store(
    { keyLimit, idempotencyKey }: Pick<EmailRequest, 'keyLimit' | 'idempotencyKey'>,
    group: NewGroup,
    recipientHash?: string,
  ): Promise<IntakeResult> {
    const { accountId, html, text } = group.message;
    const length = (html?.length ?? 0) + (text?.length ?? 0);
    const accept = () =>
      isPlain(group)
        ? this.intake.accept(group.message, { keyLimit, idempotencyKey, recipientHash })
        : this.groups.accept(group, keyLimit, idempotencyKey);
    const acceptLong = (take: TakeMemory) => {
      take(length);
      return accept();
    };
    const result = await (length > LONG ? this.memory.during(accountId, acceptLong) : accept());
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
