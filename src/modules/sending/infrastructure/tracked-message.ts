import type { TrackHtml } from '../../tracking/index.js';
import type { MailContent } from '../application/ports/message-provider.js';
import { deriveText } from '../domain/derive-text.js';

/** Derives a missing text part before the links are rewritten, so that its links lead directly to their targets. */
export async function tracked<Message extends MailContent>(message: Message, trackHtml: TrackHtml): Promise<Message> {
  const { html, text } = message;
  if (html === null) return message;
  return { ...message, text: text ?? (await deriveText(html)), html: await trackHtml.track(message, html) };
}
