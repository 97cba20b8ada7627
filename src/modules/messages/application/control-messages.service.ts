import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { scheduledTime } from '../../../shared/schedule.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import type { MessageLog, MessageStatus } from '../domain/message-log.js';
import { MessageReader } from './ports/message-reader.js';
import { DeliveryJobs } from './ports/pending-delivery.repository.js';
import { type OwnMessages, ScheduledDeliveries } from './ports/scheduled-deliveries.js';

/** A message may be claimed and given back between an attempt to change it and the look at its status. */
const TRIES = 3;

export interface CanceledMessages {
  /** The number of the messages that are canceled now. */
  canceled: number;
  /** Why the others are not. */
  errors: { id: string; message: string }[];
}

/** Cancels and reschedules messages that no worker holds. */
@Injectable()
export class ControlMessages {
  constructor(
    private readonly deliveries: ScheduledDeliveries,
    private readonly messages: MessageReader,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
  ) {}

  /** Once this resolves, nothing can send the message. Throws `conflict` if it is being sent or final. */
  async cancel(owner: OwnMessages, id: string): Promise<MessageLog> {
    const status = (await this.cancelIn(owner, [id])).get(id);
    if (status === undefined) throw DomainError.notFound('Message');
    if (status !== 'canceled') throw DomainError.conflict(refusal(status));
    return this.get(owner, id);
  }

  /**
   * Messages that were canceled before count as canceled. An owner without a key cancels live messages and test
   * messages.
   */
  async cancelAll(owner: OwnMessages, given: readonly string[]): Promise<CanceledMessages> {
    const ids = [...new Set(given)];
    const statuses = await this.cancelIn(owner, ids);
    if (owner.apiKeyId === null) {
      const testOwner = { accountId: testAccountIdOf(owner.accountId), apiKeyId: null };
      const others = ids.filter((id) => !statuses.has(id));
      for (const [id, status] of await this.cancelIn(testOwner, others)) statuses.set(id, status);
    }
    const errors = ids.flatMap((id) => {
      const status = statuses.get(id);
      return status === 'canceled' ? [] : [{ id, message: status ? refusal(status) : NOT_FOUND }];
    });
    return { canceled: ids.length - errors.length, errors };
  }

  /** Returns the status of each message afterwards; those that do not exist are missing. */
  private async cancelIn(owner: OwnMessages, ids: readonly string[]): Promise<Map<string, MessageStatus>> {
    const statuses = new Map<string, MessageStatus>();
    let left = ids.filter(isId);
    for (let tried = 0; tried < TRIES && left.length > 0; tried++) {
      for (const id of await this.deliveries.cancel(owner, left)) statuses.set(id, 'canceled');
      const others = left.filter((id) => statuses.get(id) !== 'canceled');
      if (others.length > 0)
        for (const [id, status] of await this.deliveries.statuses(owner, others)) statuses.set(id, status);
      left = others.filter((id) => statuses.get(id) === 'queued');
    }
    return statuses;
  }

  /** A time that has just passed means at once. Throws `conflict` if the message is being sent or final. */
  async reschedule(owner: OwnMessages, id: string, scheduledAt: string): Promise<MessageLog> {
    const at = scheduledTime(scheduledAt, this.clock.now());
    if (!isId(id)) throw DomainError.notFound('Message');
    for (let tried = 1; ; tried++) {
      const lane = await this.deliveries.reschedule(owner, id, at);
      if (lane !== null) {
        if (at === null) this.jobs.enqueue({ messageId: id, accountId: owner.accountId, lane });
        return this.get(owner, id);
      }
      const status = (await this.deliveries.statuses(owner, [id])).get(id);
      if (status === undefined) throw DomainError.notFound('Message');
      if (status !== 'queued' || tried === TRIES) throw DomainError.conflict(refusal(status));
    }
  }

  private async get({ accountId, apiKeyId }: OwnMessages, id: string): Promise<MessageLog> {
    const message = await this.messages.find(accountId, id, apiKeyId);
    if (!message) throw DomainError.notFound('Message');
    return message;
  }
}

const NOT_FOUND = 'Message not found';

/** A message that is still queued after several tries is being attempted over and over. */
const refusal = (status: MessageStatus): string =>
  status === 'sending' || status === 'queued' ? 'Message is already being sent' : `Message is ${status}`;
