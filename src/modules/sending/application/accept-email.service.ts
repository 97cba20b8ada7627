import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SenderDirectory } from '../../senders/index.js';
import { type CapUsage, DeliveryJobs, MessageIntake, type NewMessage } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { EmailRequest } from '../domain/email-request.js';
import { suppressedText } from '../domain/suppressed-text.js';
import { type Content, RenderContent } from './render-content.service.js';

@Injectable()
export class AcceptEmail {
  constructor(
    private readonly content: RenderContent,
    private readonly senders: SenderDirectory,
    private readonly suppressions: SuppressionList,
    private readonly intake: MessageIntake,
    private readonly alarm: DeliveryJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the e-mail and wakes a worker. When this resolves the e-mail is durable and will be delivered, whatever
   * happens to the queue. The checks before it look things up at the same time and are heard in one order;
   * a look-up that fails refuses the e-mail.
   */
  async accept(request: EmailRequest): Promise<{ messageId: string; usage: CapUsage }> {
    const { accountId, to, fromEmail, keyLimit, mark } = request;
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
    const usage = await this.intake.accept(message, keyLimit, mark);
    this.alarm.ring({ messageId: id, accountId, channel: 'email' });
    return { messageId: id, usage };
  }
}

function toMessage(request: EmailRequest, made: Content & Pick<NewMessage, 'id' | 'createdAt'>): NewMessage {
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
    ...made,
  };
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
