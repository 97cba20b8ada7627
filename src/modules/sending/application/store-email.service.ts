import { Injectable } from '@nestjs/common';

import {
  DeliveryJobs,
  GroupIntake,
  MessageIntake,
  type NewCopy,
  type NewGroup,
  type NewMessage,
} from '../../messages/index.js';
import { UnsubscribeLinks } from '../../suppression/index.js';
import { toAttachments } from '../domain/attachment.js';
import type { Copy } from '../domain/recipients.js';
import type { EmailRequest } from '../domain/send-request.js';

type IdentifiedCopy = Copy & { id: string };

/** Stores a rendered e-mail with its copies, attachments and labels, all or nothing, and enqueues the delivery. */
@Injectable()
export class StoreEmail {
  constructor(
    private readonly intake: MessageIntake,
    private readonly groups: GroupIntake,
    private readonly unsubscribeLinks: UnsubscribeLinks,
    private readonly jobs: DeliveryJobs,
  ) {}

  /** `hostedUrl` is the unsubscribe link of the message, if its content has it. Each copy gets its own in its place. */
  async store(
    request: EmailRequest,
    message: NewMessage,
    copies: readonly IdentifiedCopy[],
    hostedUrl: string | null,
  ): ReturnType<MessageIntake['accept']> {
    const { accountId, keyLimit, idempotencyKey } = request;
    const result = isPlain(request)
      ? await this.intake.accept(message, keyLimit, idempotencyKey)
      : await this.groups.accept(this.toGroup(request, message, copies, hostedUrl), keyLimit, idempotencyKey);
    if (result.outcome === 'accepted' && message.scheduledAt == null)
      for (const { id: messageId } of [message, ...copies]) this.jobs.enqueue({ messageId, accountId, lane: 'email' });
    return result;
  }

  private toGroup(
    { attachments, headers, tags, metadata, unsubscribeUrl }: EmailRequest,
    message: NewMessage,
    copies: readonly IdentifiedCopy[],
    hostedUrl: string | null,
  ): NewGroup {
    const toCopy = ({ id, role, email, normalised }: IdentifiedCopy): NewCopy => {
      const target = { accountId: message.accountId, messageId: id, email: normalised };
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
      };
    };
    return {
      message,
      copies: copies.map(toCopy),
      linkToken: tokenOf(hostedUrl),
      attachments: toAttachments(attachments ?? []),
      headers: headers && Object.keys(headers).length > 0 ? headers : null,
      tags: tags?.length ? [...new Set(tags)] : null,
      metadata: metadata && Object.keys(metadata).length > 0 ? metadata : null,
    };
  }
}

const isPlain = ({ cc, bcc, attachments, headers, tags, metadata }: EmailRequest): boolean =>
  !cc?.length && !bcc?.length && !attachments?.length && !headers && !tags?.length && !metadata;

/** The end of a hosted link, which is different for each message and has no character that HTML escapes. */
const tokenOf = (url: string | null): string | null => url?.slice(url.lastIndexOf('/') + 1) ?? null;
