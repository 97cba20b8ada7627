import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { hasAsciiLocalPart, normaliseEmail } from '../../../shared/email-address.js';
import { scheduledTime } from '../../../shared/schedule.js';
import { isPlain, type NewCopy, type NewGroup, type NewMessage } from '../../messages/index.js';
import { SenderDirectory } from '../../senders/index.js';
import { isSimulatedSuppression } from '../../../providers/index.js';
import { SuppressionList, UnsubscribeLinks } from '../../suppression/index.js';
import { toAttachments } from '../domain/attachment.js';
import { refusalError } from '../domain/recipient-refusal.js';
import { type Copy, copiesOf } from '../domain/recipients.js';
import type { AcceptedCopy, EmailRequest } from '../domain/send-request.js';
import { type Content, RenderContent } from './render-content.service.js';

/** The time of acceptance, and ids of that millisecond in ascending order, one for each recipient. */
export interface Identity {
  createdAt: Date;
  ids: readonly string[];
}

/** An e-mail that has passed all checks but the daily limits. */
export interface PreparedEmail {
  group: NewGroup;
  copies: AcceptedCopy[];
  /** Set if the recipient and topic have not been checked. The message may only be stored with it. */
  recipientHash?: string;
}

interface Options {
  /** Renders the content, if it is not that of the request. */
  render?: ((messageId: string) => Promise<Content>) | undefined;
  /** Leaves the check of a plain message's recipient and topic to the statement that stores it, by `recipientHash`. */
  defersSuppressionCheck?: boolean;
}

type IdentifiedCopy = Copy & { id: string };

/** Checks and renders e-mails. */
@Injectable()
export class PrepareEmail {
  constructor(
    private readonly content: RenderContent,
    private readonly senders: SenderDirectory,
    private readonly suppressions: SuppressionList,
    private readonly unsubscribeLinks: UnsubscribeLinks,
  ) {}

  /**
   * Throws `invalid`. A test message needs no verified sender: it reaches nobody. The checks run concurrently, and
   * their errors have a fixed order of precedence. Concurrent calls share their look-ups.
   */
  async prepare(
    request: EmailRequest,
    { createdAt, ids: [id = '', ...copyIds] }: Identity,
    { render = (messageId) => this.content.render(request, messageId), defersSuppressionCheck = false }: Options = {},
  ): Promise<PreparedEmail> {
    const { accountId, to, fromEmail, testOf = null } = request;
    const scheduledAt = scheduledTime(request.scheduledAt, createdAt);
    const copies = copiesOf(request).map((copy, i) => ({ ...copy, id: copyIds[i] ?? '' }));
    if (copies.length > 0 && !request.submitted) requireVisibleEverywhere(to);
    const isDeferred = defersSuppressionCheck && copies.length === 0 && !isSimulated(request, to);
    const [sender, recipients, content] = await Promise.allSettled([
      testOf === null ? this.senders.requireRecentlyVerified(accountId, fromEmail) : undefined,
      isDeferred ? undefined : this.requireNotRefused(request, copies),
      render(id),
    ]);
    valueOf(sender);
    valueOf(recipients);
    if (isDeferred && content.status === 'rejected') await this.requireNotRefused(request, copies);
    const { hostedUrl, ...parts } = valueOf(content);
    const message = toMessage(request, { id, createdAt, scheduledAt, ...parts });
    const group = this.toGroup(request, message, copies, hostedUrl);
    const accepted = copies.map(({ email, role, id: messageId }) => ({ email, role, messageId }));
    if (!isDeferred) return { group, copies: accepted };
    if (isPlain(group))
      return { group, copies: accepted, recipientHash: this.suppressions.hashOf(accountId, 'email', to) };
    await this.requireNotRefused(request, copies);
    return { group, copies: accepted };
  }

  /** Throws `invalid` for the first recipient who is suppressed or out of the topic, and for an unknown topic. */
  private async requireNotRefused(request: EmailRequest, copies: readonly Copy[]): Promise<void> {
    const emails = [request.to.trim(), ...copies.map(({ email }) => email)];
    const { accountId, topicId } = request;
    const messages = emails.map((recipient) => ({ accountId, channel: 'email' as const, recipient, topicId }));
    const refusals = await Promise.all(
      messages.map(async (message) =>
        isSimulated(request, message.recipient) ? 'suppressed' : this.suppressions.findRefusalToAccept(message),
      ),
    );
    for (const [i, message] of messages.entries()) {
      const refusal = refusals[i] ?? null;
      if (refusal !== null) throw refusalError(refusal, message);
    }
  }

  /** `hostedUrl` is the unsubscribe link of the message, if its content has it. Each copy gets its own in its place. */
  private toGroup(
    { attachments, headers, tags, metadata, unsubscribeUrl, resentFrom, submitted }: EmailRequest,
    message: NewMessage,
    copies: readonly IdentifiedCopy[],
    hostedUrl: string | null,
  ): NewGroup {
    const toCopy = ({ id, role, email, normalised, idempotencyKey }: IdentifiedCopy): NewCopy => {
      const { accountId, topicId = null } = message;
      const target = { accountId, messageId: id, email: normalised, topicId };
      const url = hostedUrl === null ? null : this.unsubscribeLinks.linkTo(target);
      return {
        id,
        role,
        recipient: email,
        normalisedRecipient: normalised,
        subject:
          hostedUrl === null || url === null ? message.subject : (message.subject?.replaceAll(hostedUrl, url) ?? null),
        unsubscribeUrl: unsubscribeUrl ?? url,
        linkToken: tokenOf(url),
        ...(idempotencyKey && { idempotencyKey }),
      };
    };
    return {
      message,
      role: submitted?.role ?? 'to',
      copies: copies.map(toCopy),
      linkToken: tokenOf(hostedUrl),
      attachments: toAttachments(attachments ?? []),
      headers: headers && Object.keys(headers).length > 0 ? headers : null,
      tags: tags?.length ? [...new Set(tags)] : null,
      metadata: metadata && Object.keys(metadata).length > 0 ? metadata : null,
      visible: submitted?.visible ?? null,
      source: submitted?.source ?? null,
      ...(resentFrom === undefined ? {} : { resentFrom }),
    };
  }
}

/** How many messages the request makes: one for each recipient. */
export const recipientCount = (request: EmailRequest): number => 1 + copiesOf(request).length;

/** All copies show the address, and a relay may support only ASCII. */
function requireVisibleEverywhere(to: string): void {
  if (!hasAsciiLocalPart(to))
    throw DomainError.invalid('to must have only ASCII characters before the @ if there are copies');
}

const isSimulated = ({ testOf = null }: EmailRequest, email: string): boolean =>
  isSimulatedSuppression('email', normaliseEmail(email), testOf !== null);

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
    topicId: request.topicId ?? null,
    ...generated,
  };
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** The end of a hosted link, which is different for each message and has no character that HTML escapes. */
const tokenOf = (url: string | null): string | null => url?.slice(url.lastIndexOf('/') + 1) ?? null;
