import type { MessageContent } from '../domain/message-content.js';

export class MessageContentResponse {
  /** False: the content is no longer kept, and all else is null. */
  isKept!: boolean;
  html!: string | null;
  text!: string | null;

  /** Where List-Unsubscribe leads. */
  unsubscribeUrl!: string | null;

  static from(content: MessageContent | null): MessageContentResponse {
    const { html, text, unsubscribeUrl } = content ?? { html: null, text: null, unsubscribeUrl: null };
    return { isKept: content !== null, html, text, unsubscribeUrl };
  }
}
