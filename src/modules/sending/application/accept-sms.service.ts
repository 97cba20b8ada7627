import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { type CapUsage, MessageIntake } from '../../messages/index.js';
import type { SmsRequest } from '../domain/send-request.js';
import type { SegmentedSms } from '../domain/sms-segments.js';
import { requireNotRefused } from './accept-email.service.js';
import { PrepareSms } from './prepare-sms.service.js';

export interface AcceptedSms extends Pick<SegmentedSms, 'segments' | 'encoding'> {
  outcome: 'accepted';
  messageId: string;
  usage: CapUsage;
}

@Injectable()
export class AcceptSms {
  constructor(
    private readonly prepareSms: PrepareSms,
    private readonly intake: MessageIntake,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the SMS and, unless it is scheduled, enqueues its delivery. Once this resolves, the SMS is durable and will
   * be delivered even if the queue is lost.
   */
  async accept(request: SmsRequest): Promise<AcceptedSms | { outcome: 'duplicate' }> {
    const createdAt = this.clock.now();
    const identity = { createdAt, ids: [newId(createdAt)] };
    const { group, segments, encoding } = await this.prepareSms.prepare(request, identity);
    const { keyLimit, idempotencyKey } = request;
    const intakeResult = await this.intake.accept(group, { keyLimit, idempotencyKey });
    const result = requireNotRefused(intakeResult, group.message, this.clock.now());
    return result.outcome === 'accepted' ? { ...result, messageId: group.message.id, segments, encoding } : result;
  }
}
