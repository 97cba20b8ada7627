/** Addresses that are longer when rewritten are refused by proxies and browsers on the way: those links stay. */
const MAX_TRACKED_LENGTH = 4_096;

/** Filled in after the links are rewritten, or left for the caller's own systems: never behind a redirect. */
const UNSUBSCRIBE_PLACEHOLDER = /\{\{\{?&?\s*unsubscribeUrl\s*\}?\}\}/;

/**
 * The address that a link leads to if its clicks may be counted: absolute http and https. Null for everything else, such as
 * `mailto:`, `tel:`, anchors, and relative links, with a `<base>` too, because mail clients do not agree on what that means.
 */
export function trackableUrl(href: string): URL | null {
  const isCandidate =
    href.length <= MAX_TRACKED_LENGTH && /^[\t\n\f\r ]*https?:\/\//i.test(href) && href.isWellFormed();
  if (!isCandidate || UNSUBSCRIBE_PLACEHOLDER.test(href)) return null;
  return URL.canParse(href) ? new URL(href) : null;
}

export const isShortEnough = (trackedLink: string): boolean => trackedLink.length <= MAX_TRACKED_LENGTH;

/** As a Location header carries it: exactly as it was signed, unless it holds what a header cannot. */
export const toLocation = (target: string): string => (/^[\x21-\x7e]+$/.test(target) ? target : new URL(target).href);
