import { MAX_TRACKED_URL_LENGTH } from '../../../config/limits.js';
import { parseUrl } from '../../../shared/parse-url.js';

/** Filled in after the links are rewritten, or by the caller's own systems. */
const UNSUBSCRIBE_PLACEHOLDER = /\{\{\{?&?\s*(?:unsubscribe|preferences)Url\s*\}?\}\}/;

/**
 * The target of a link whose clicks can be counted: an absolute http or https URL. Null for everything else, such as
 * `mailto:`, `tel:`, anchors and relative links, even with a `<base>`, which mail clients interpret differently.
 */
export function trackableUrl(href: string): URL | null {
  const isCandidate =
    href.length <= MAX_TRACKED_URL_LENGTH && /^[\t\n\f\r ]*https?:\/\//i.test(href) && href.isWellFormed();
  if (!isCandidate || UNSUBSCRIBE_PLACEHOLDER.test(href)) return null;
  return parseUrl(href);
}

export const isShortEnough = (trackedLink: string): boolean => trackedLink.length <= MAX_TRACKED_URL_LENGTH;

/** The target as a Location header: exactly as signed, unless it contains characters that a header cannot hold. */
export const toLocation = (target: string): string => (/^[\x21-\x7e]+$/.test(target) ? target : new URL(target).href);
