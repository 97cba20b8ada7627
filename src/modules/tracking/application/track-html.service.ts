import { Injectable } from '@nestjs/common';

import { escapeHtml } from '../../../shared/text.js';
import { rewriteHtml } from '../domain/rewrite-html.js';
import { isShortEnough, trackableUrl } from '../domain/trackable-link.js';
import { TrackedLinks } from './ports/tracked-links.js';

/** The service's own counting of opens and clicks. */
@Injectable()
export class TrackHtml {
  constructor(private readonly links: TrackedLinks) {}

  /**
   * The HTML of a message with its links leading through the service, and the pixel. The same for every attempt. What
   * unsubscribes stays as it is: that must work without us, and nothing is learnt from it that the opt-out does not tell.
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
