import { Injectable } from '@nestjs/common';

import { escapeHtml } from '../../../shared/text.js';
import { rewriteHtml } from '../domain/rewrite-html.js';
import { isShortEnough, trackableUrl } from '../domain/trackable-link.js';
import { TrackedLinks } from './ports/tracked-links.js';

/** Prepares messages for the service's own counting of opens and clicks. */
@Injectable()
export class TrackHtml {
  constructor(private readonly links: TrackedLinks) {}

  /**
   * Rewrites the links of a message to lead through the service and adds the pixel; the same for every attempt.
   * Unsubscribe links are not rewritten: they must work without the service, and the opt-out is recorded anyway.
   */
  track(message: { id: string; unsubscribeUrl: string | null }, html: string): Promise<string> {
    const unsubscribeUrl = message.unsubscribeUrl === null ? undefined : new URL(message.unsubscribeUrl).href;
    const replace = (href: string): string | null => {
      const url = trackableUrl(href);
      if (!url || url.href === unsubscribeUrl || this.links.isOwn(url)) return null;
      const tracked = this.links.click(message.id, href);
      return isShortEnough(tracked) ? tracked : null;
    };
    const pixel = `<img src="${escapeHtml(this.links.open(message.id))}" alt="" width="1" height="1" border="0">`;
    return rewriteHtml(html, replace, pixel);
  }
}
