import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SenderDirectory } from '../../senders/index.js';
import { capError, type CapUsage, DeliveryJobs, MessageIntake, type NewMessage } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { EmailRequest } from '../domain/send-request.js';
import { suppressedText } from '../domain/submission-refused.js';
import { type Content, RenderContent } from './render-content.service.js';

export interface AcceptedEmail {
  outcome: 'accepted';
  messageId: string;
  usage: CapUsage;
}

@Injectable()
export class AcceptEmail {
  constructor(
    private readonly content: RenderContent,
    private readonly senders: SenderDirectory,
    private readonly suppressions: SuppressionList,
    private readonly intake: MessageIntake,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the e-mail and enqueues its delivery. Once this resolves, the e-mail is durable and will be delivered even
   * if the queue is lost. The checks run concurrently, and their errors have a fixed order of precedence.
   */
  async accept(request: EmailRequest & { idempotencyKey?: undefined }): Promise<AcceptedEmail>;
  async accept(request: EmailRequest): Promise<AcceptedEmail | { outcome: 'duplicate' }>;
  async accept(request: EmailRequest): Promise<AcceptedEmail | { outcome: 'duplicate' }> {
    const { accountId, to, fromEmail, keyLimit, idempotencyKey } = request;
    const createdAt = this.clock.now();
    const id = newId(createdAt);
    const [sender, suppressed, content] = await Promise.allSettled([
      this.senders.requireVerified(accountId, fromEmail),
      this.suppressions.isSuppressed(accountId, 'email', to),
      this.content.render(request, id),
    ]);
    valueOf(sender);
    if (valueOf(suppressed)) throw DomainError.invalid(suppressedText('email', to.trim()), 'suppressed');
    const message = toMessage(request, { id, createdAt, ...valueOf(content) });
    const result = await this.intake.accept(message, keyLimit, idempotencyKey);
    if (result.outcome === 'over_cap') throw capError(result.cap, this.clock.now());
    if (result.outcome === 'duplicate') return result;
    this.jobs.enqueue({ messageId: id, accountId, lane: 'email' });
    return { outcome: 'accepted', messageId: id, usage: result.usage };
  }
}

function toMessage(request: EmailRequest, generated: Content & Pick<NewMessage, 'id' | 'createdAt'>): NewMessage {
  return {
    accountId: request.accountId,
    channel: 'email',
    recipient: request.to.trim(),
    normalisedRecipient: normaliseEmail(request.to),
    sender: request.fromEmail.trim(),
    senderName: request.fromName ?? null,
    replyTo: request.replyTo?.trim() ?? null,
    templateId: request.templateId ?? null,
    apiKeyId: request.apiKeyId,
    ...generated,
  };
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
