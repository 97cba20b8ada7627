import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { capError, type CapUsage } from '../../messages/index.js';
import type { SmsRequest } from '../domain/send-request.js';
import type { SegmentedSms } from '../domain/sms-segments.js';
import { PrepareSms } from './prepare-sms.service.js';
import { StoreMessages } from './store-messages.service.js';

export interface AcceptedSms extends Pick<SegmentedSms, 'segments' | 'encoding'> {
  outcome: 'accepted';
  messageId: string;
  usage: CapUsage;
}

@Injectable()
export class AcceptSms {
  constructor(
    private readonly prepareSms: PrepareSms,
    private readonly store: StoreMessages,
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
    const result = await this.store.store(request, group);
    if (result.outcome === 'over_cap') throw capError(result.cap, this.clock.now());
    if (result.outcome === 'duplicate') return result;
    return { outcome: 'accepted', messageId: group.message.id, usage: result.usage, segments, encoding };
  }
}
