import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { hasAsciiLocalPart, normaliseEmail } from '../../../shared/email-address.js';
import { newId, newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { scheduledTime } from '../../../shared/schedule.js';
import { SenderDirectory } from '../../senders/index.js';
import { capError, type CapUsage, type NewMessage } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import { type Copy, copiesOf } from '../domain/recipients.js';
import type { AcceptedCopy, EmailRequest } from '../domain/send-request.js';
import { suppressedText } from '../domain/submission-refused.js';
import { type Content, RenderContent } from './render-content.service.js';
import { StoreEmail } from './store-email.service.js';

export interface AcceptedEmail {
  outcome: 'accepted';
  messageId: string;
  copies: AcceptedCopy[];
  usage: CapUsage;
}

@Injectable()
export class AcceptEmail {
  constructor(
    private readonly content: RenderContent,
    private readonly senders: SenderDirectory,
    private readonly suppressions: SuppressionList,
    private readonly store: StoreEmail,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the e-mail and its copies and, unless they are scheduled, enqueues their delivery. Once this resolves, they
   * are durable and will be delivered even if the queue is lost. The checks run concurrently, and their errors have a fixed order of
   * precedence.
   */
  async accept(request: EmailRequest & { idempotencyKey?: undefined }): Promise<AcceptedEmail>;
  async accept(request: EmailRequest): Promise<AcceptedEmail | { outcome: 'duplicate' }>;
  async accept(request: EmailRequest): Promise<AcceptedEmail | { outcome: 'duplicate' }> {
    const { accountId, to, fromEmail } = request;
    const createdAt = this.clock.now();
    const scheduledAt = scheduledTime(request.scheduledAt, createdAt);
    const copies = copiesOf(request);
    if (copies.length > 0) requireVisibleEverywhere(to);
    const [id = newId(createdAt), ...copyIds] = copies.length === 0 ? [] : newIds(createdAt, 1 + copies.length);
    const [sender, suppressed, content] = await Promise.allSettled([
      this.senders.requireVerified(accountId, fromEmail),
      this.findSuppressed(accountId, to, copies),
      this.content.render(request, id),
    ]);
    valueOf(sender);
    const address = valueOf(suppressed);
    if (address !== null) throw DomainError.invalid(suppressedText('email', address), 'suppressed');
    const { hostedUrl, ...parts } = valueOf(content);
    const message = toMessage(request, { id, createdAt, scheduledAt, ...parts });
    const identified = copies.map((copy, i) => ({ ...copy, id: copyIds[i] ?? '' }));
    const result = await this.store.store(request, message, identified, hostedUrl);
    if (result.outcome === 'over_cap') throw capError(result.cap, this.clock.now());
    if (result.outcome === 'duplicate') return result;
    const accepted = identified.map(({ email, role, id: messageId }) => ({ email, role, messageId }));
    return { outcome: 'accepted', messageId: id, copies: accepted, usage: result.usage };
  }

  /** The first recipient who is suppressed. */
  private async findSuppressed(accountId: string, to: string, copies: readonly Copy[]): Promise<string | null> {
    const emails = [to.trim(), ...copies.map(({ email }) => email)];
    const found = await Promise.all(emails.map((email) => this.suppressions.isSuppressed(accountId, 'email', email)));
    return emails[found.indexOf(true)] ?? null;
  }
}

/** All copies show the address, and a relay may support only ASCII. */
function requireVisibleEverywhere(to: string): void {
  if (!hasAsciiLocalPart(to))
    throw DomainError.invalid('to must have only ASCII characters before the @ if there are copies');
}

function toMessage(
  request: EmailRequest,
  generated: Omit<Content, 'hostedUrl'> & Pick<NewMessage, 'id' | 'createdAt' | 'scheduledAt'>,
): NewMessage {
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
