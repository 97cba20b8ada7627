import { escapeHtml } from '../../../shared/text.js';
import { clickUrl, isOwn, type LinkSigning, openUrl } from './link-signing.js';
import { rewriteHtml } from './rewrite-html.js';
import { isShortEnough, trackableUrl } from './trackable-link.js';

/**
 * Rewrites the links of a message to lead through the service and adds the pixel; the same for every attempt.
 * Unsubscribe links are not rewritten: they must work without the service, and the opt-out is recorded anyway. A mail
 * that asks somebody to confirm a sign-up stays as it is: that person has agreed to nothing yet.
 */
export function trackHtml(
  signing: LinkSigning,
  message: { id: string; unsubscribeUrl: string | null },
  html: string,
): string {
  const unsubscribeUrl = message.unsubscribeUrl === null ? undefined : new URL(message.unsubscribeUrl).href;
  const found = { confirmation: false };
  const replace = (href: string): string | null => {
    const url = trackableUrl(href);
    if (url?.href.startsWith(signing.confirmations)) found.confirmation = true;
    if (!url || found.confirmation || url.href === unsubscribeUrl || isOwn(signing, url)) return null;
    const tracked = clickUrl(signing, message.id, href);
    return isShortEnough(tracked) ? tracked : null;
  };
  const pixel = `<img src="${escapeHtml(openUrl(signing, message.id))}" alt="" width="1" height="1" border="0">`;
  const tracked = rewriteHtml(html, replace, pixel);
  return found.confirmation ? html : tracked;
}
