import { Injectable } from '@nestjs/common';

import { Limiter } from '../../../concurrency/limiter.js';
import { DomainError } from '../../../shared/domain-error.js';
import {
  type CapUsage,
  IdempotencyStore,
  type MessageContent,
  MessageGroups,
  type MessageLog,
  SOURCE_NUMBER,
} from '../../messages/index.js';
import { UnsubscribeLinks } from '../../suppression/index.js';
import type { GivenAttachment } from '../domain/attachment.js';
import { AcceptEmail } from './accept-email.service.js';
import { AcceptSms } from './accept-sms.service.js';
import { FindOriginal } from './find-original.service.js';
import type { Content } from './render-content.service.js';

/** Resends with files at a time: the files are read into memory. */
const WITH_FILES = { total: 1 };
/** Sessions have no API key. */
const NO_KEY = '';
/** The token of a hosted unsubscribe link. */
const LINK_TOKEN = /(?<=\/u\/)[\w-]{60,}/g;

type Accepted = { outcome: 'accepted'; messageId: string; usage: CapUsage } | { outcome: 'duplicate' };

/** Sends the stored content of a message again, as a new message that is subject to all checks. */
@Injectable()
export class ResendMessage {
  private readonly withFiles = new Limiter(WITH_FILES);

  constructor(
    private readonly originals: FindOriginal,
    private readonly groups: MessageGroups,
    private readonly acceptEmail: AcceptEmail,
    private readonly acceptSms: AcceptSms,
    private readonly idempotencyKeys: IdempotencyStore,
    private readonly unsubscribeLinks: UnsubscribeLinks,
  ) {}

  /**
   * A message that was resent before is not resent again: the result is the same. `owner`: the owner of the message.
   */
  async resend(
    owner: Pick<ResendRequest, 'accountId' | 'testOf'>,
    id: string,
  ): Promise<{ messageId: string; channel: 'email' | 'sms'; isNew: boolean }> {
    const { accountId } = owner;
    const { message, content, resentAs } = await this.originals.get(accountId, id);
    const { channel, topicId } = message;
    if (resentAs !== null) return { messageId: resentAs, channel, isNew: false };
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
    return this.withFilesOf(message, ({ source, attachments }) => {
      const isSubmitted = visible !== null || source !== null;
      const submitted = isSubmitted && { submitted: { role: message.role ?? 'to', copies: [], visible, source } };
      return this.acceptEmail.accept({ ...email, attachments, ...submitted }, render);
    });
  }

  private async withFilesOf<T>(message: MessageLog, accept: (files: Files) => Promise<T>): Promise<T> {
    const { accountId } = message;
    const groupId = message.groupId ?? message.id;
    const { sourceSize, attachments: entries } = await this.groups.files(accountId, groupId);
    if (sourceSize === null && entries.length === 0) return accept({ source: null, attachments: [] });
    return this.withFiles.run(accountId, async () => {
      const source = sourceSize === null ? null : await this.read(accountId, groupId, SOURCE_NUMBER);
      const attachments: GivenAttachment[] = [];
      for (const { number, filename, contentType, contentId } of entries)
        attachments.push({ filename, contentType, contentId, content: await this.read(accountId, groupId, number) });
      return accept({ source, attachments });
    });
  }

  private async read(accountId: string, groupId: string, number: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.groups.read(accountId, groupId, number)) parts.push(part);
    return Buffer.concat(parts);
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

/** The attachments of a message, or the mail as submitted. */
interface Files {
  source: Buffer | null;
  attachments: GivenAttachment[];
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
