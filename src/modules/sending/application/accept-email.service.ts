import { Injectable } from '@nestjs/common';

import { newId, newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { capError, type CapUsage } from '../../messages/index.js';
import type { AcceptedCopy, EmailRequest } from '../domain/send-request.js';
import type { Content } from './render-content.service.js';
import { PrepareEmail, recipientCount } from './prepare-email.service.js';
import { StoreMessages } from './store-messages.service.js';

export interface AcceptedEmail {
  outcome: 'accepted';
  messageId: string;
  copies: AcceptedCopy[];
  usage: CapUsage;
}

@Injectable()
export class AcceptEmail {
  constructor(
    private readonly prepareEmail: PrepareEmail,
    private readonly store: StoreMessages,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the e-mail and its copies and, unless they are scheduled, enqueues their delivery. Once this resolves, they
   * are durable and will be delivered even if the queue is lost. `render`: see PrepareEmail.
   */
  async accept(request: EmailRequest & { idempotencyKey?: undefined }): Promise<AcceptedEmail>;
  async accept(
    request: EmailRequest,
    render?: (messageId: string) => Promise<Content>,
  ): Promise<AcceptedEmail | { outcome: 'duplicate' }>;
  async accept(
    request: EmailRequest,
    render?: (messageId: string) => Promise<Content>,
  ): Promise<AcceptedEmail | { outcome: 'duplicate' }> {
    const createdAt = this.clock.now();
    const count = recipientCount(request);
    const ids = count === 1 ? [newId(createdAt)] : newIds(createdAt, count);
    const identity = { createdAt, ids };
    const { group, copies, recipientHash } = await this.prepareEmail.prepare(request, identity, {
      render,
      defersSuppressionCheck: true,
    });
    const result = await this.store.store(request, group, recipientHash);
    if (result.outcome === 'over_cap') throw capError(result.cap, this.clock.now());
    if (result.outcome === 'duplicate') return result;
    return { outcome: 'accepted', messageId: group.message.id, copies, usage: result.usage };
  }
}
