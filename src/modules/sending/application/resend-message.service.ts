import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { noConsentText } from '../../../shared/submission-check.js';
import {
  type CapUsage,
  IdempotencyStore,
  type MessageContent,
  type MessageLog,
  type MessageStatus,
  ReadMessages,
} from '../../messages/index.js';
import { UnsubscribeLinks } from '../../suppression/index.js';
import { AcceptEmail } from './accept-email.service.js';
import { AcceptSms } from './accept-sms.service.js';
import { ConsentOfResent } from './consent-of-resent.service.js';
import { FilesOfMessage } from './files-of-message.service.js';
import type { Content } from './render-content.service.js';

const RESENDABLE: readonly MessageStatus[] = ['failed', 'canceled', 'suppressed'];
/** Sessions have no API key. */
const NO_KEY = '';
/** The token of a hosted unsubscribe link. */
const LINK_TOKEN = /(?<=\/u\/)[\w-]{60,}/g;

type Accepted = { outcome: 'accepted'; messageId: string; usage: CapUsage } | { outcome: 'duplicate' };

/** Sends the stored content of a message again, as a new message that is subject to all checks. */
@Injectable()
export class ResendMessage {
  constructor(
    private readonly messages: ReadMessages,
    private readonly files: FilesOfMessage,
    private readonly acceptEmail: AcceptEmail,
    private readonly acceptSms: AcceptSms,
    private readonly idempotencyKeys: IdempotencyStore,
    private readonly unsubscribeLinks: UnsubscribeLinks,
    private readonly consents: ConsentOfResent,
  ) {}

  /** A message that was resent before is not resent again: the result is the same. `owner`: of the message. */
  async resend(
    owner: Pick<ResendRequest, 'accountId' | 'testOf'>,
    id: string,
  ): Promise<{ messageId: string; channel: 'email' | 'sms'; isNew: boolean }> {
    const { accountId } = owner;
    const message = await this.messages.get(accountId, id);
    const { channel, status } = message;
    const earlier = await this.messages.findResent(accountId, id);
    if (earlier !== null) return { messageId: earlier, channel, isNew: false };
    if (!RESENDABLE.includes(status))
      throw DomainError.conflict(status === 'sending' ? 'Message is already being sent' : `Message is ${status}`);
    const { topicId } = message;
    const content = await this.messages.content(accountId, id);
    if (!content || (content.html === null && content.text === null)) throw contentGone();
    if (await this.consents.isLacking(message, id))
      throw DomainError.invalid(noConsentText(message.recipient), 'suppressed');
    // The idempotency key lets only one of two simultaneous requests accept a message.
    const idempotencyKey = { key: `resend ${id}`, fingerprint: id };
    const accepted = await this.accept(message, content, {
      ...{ ...OF_SESSION, ...owner, idempotencyKey, resentFrom: id, topicId },
    });
    if (accepted.outcome === 'accepted') return { messageId: accepted.messageId, channel, isNew: true };
    const other = await this.idempotencyKeys.find(accountId, NO_KEY, idempotencyKey.key);
    if (!other) throw new DomainError('unavailable', 'overloaded', 'The service is temporarily unavailable', 1);
    return { messageId: other.messageId, channel, isNew: false };
  }

  private accept(message: MessageLog, content: MessageContent, request: ResendRequest): Promise<Accepted> {
    if (message.channel === 'sms')
      return this.acceptSms.accept({ ...request, to: message.recipient, body: content.text ?? '' });
    const email = {
      ...request,
      to: message.recipient,
      ...{ fromEmail: message.sender, fromName: message.senderName, replyTo: message.replyTo },
      ...{ templateId: message.templateId, tags: message.tags, metadata: message.metadata },
      headers: content.headers ?? null,
    };
    const render = (newId: string) => Promise.resolve(this.relinked(message, content, newId));
    const { visible = null } = content;
    return this.files.during(message, ({ source, attachments }) => {
      const isSubmitted = visible !== null || source !== null;
      const submitted = isSubmitted && { submitted: { role: message.role ?? 'to', copies: [], visible, source } };
      return this.acceptEmail.accept({ ...email, attachments, ...submitted }, render);
    });
  }

  /** The content with the unsubscribe link of the new message in the place of its own. */
  private relinked(message: MessageLog, { html, text, unsubscribeUrl }: MessageContent, messageId: string): Content {
    const { accountId, normalisedRecipient: email, topicId } = message;
    const url = this.unsubscribeLinks.linkTo({ accountId, messageId, email, topicId });
    const token = url.slice(url.lastIndexOf('/') + 1);
    const relink = (part: string | null) =>
      part?.replace(LINK_TOKEN, (found) =>
        this.unsubscribeLinks.read(found)?.messageId === message.id ? token : found,
      ) ?? null;
    return {
      ...{ subject: relink(message.subject), html: relink(html), text: relink(text) },
      ...{ unsubscribeUrl: relink(unsubscribeUrl), hostedUrl: null },
    };
  }
}

const OF_SESSION = { apiKeyId: null, keyLimit: null };

interface ResendRequest {
  accountId: string;
  /** Set for test messages: the account that their test account belongs to. */
  testOf: string | null;
  apiKeyId: null;
  keyLimit: null;
  idempotencyKey: { key: string; fingerprint: string };
  resentFrom: string;
  topicId: string | null;
}

const contentGone = () => DomainError.conflict('The content of the message is no longer kept');
