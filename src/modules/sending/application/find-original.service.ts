import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { noConsentText } from '../../../shared/submission-check.js';
import { type MessageContent, type MessageLog, type MessageStatus, ReadMessages } from '../../messages/index.js';
import { ConsentOfResent } from './consent-of-resent.service.js';

const RESENDABLE: readonly MessageStatus[] = ['failed', 'canceled', 'suppressed'];

/** A message that can be resent, or that was: then as the message with the id `resentAs`. */
type Original = { message: MessageLog } & (
  { content: MessageContent; resentAs: null } | { content: null; resentAs: string }
);

@Injectable()
export class FindOriginal {
  constructor(
    private readonly messages: ReadMessages,
    private readonly consents: ConsentOfResent,
  ) {}

  /**
   * Throws conflict if the message must not be resent or its content is gone, and invalid if it is of a campaign and
   * lacks a consent that the account requires.
   */
  async get(accountId: string, id: string): Promise<Original> {
    const message = await this.messages.get(accountId, id);
    const { status, recipient } = message;
    const resentAs = await this.messages.findResent(accountId, id);
    if (resentAs !== null) return { message, content: null, resentAs };
    if (!RESENDABLE.includes(status))
      throw DomainError.conflict(status === 'sending' ? 'Message is already being sent' : `Message is ${status}`);
    const content = await this.messages.content(accountId, id);
    if (!content || (content.html === null && content.text === null))
      throw DomainError.conflict('The content of the message is no longer kept');
    if (await this.consents.isLacking(message, id)) throw DomainError.invalid(noConsentText(recipient), 'no_consent');
    return { message, content, resentAs };
  }
}
