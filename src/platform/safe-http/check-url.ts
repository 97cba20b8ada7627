import { isIP } from 'node:net';

import { isPublicAddress } from './public-address.js';

const MAX_LENGTH = 2_048;
/** What a URL parser leaves out or rewrites, so that the URL reads otherwise than it works. */
const REWRITTEN = /[\s\\\p{Cc}]/u;

/** Whatever stands before it: a parser leaves empty credentials out. */
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

interface UrlRules {
  httpsOnly: boolean;
  /** Lifts the rule on addresses, and no other. */
  allowPrivate: boolean;
}

/**
 * Why the service must not post to this URL, as the end of a sentence that begins with its name; null: it may. Addresses
 * are looked at in whatever way they are spelled; what a host name resolves to is looked at when a connection is made.
 */
export const urlFault = (url: string, { httpsOnly, allowPrivate }: UrlRules): string | null => {
  const schemes = httpsOnly ? 'https' : 'http or https';
  if (url.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const parsed = !REWRITTEN.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !(httpsOnly ? /^https:\/\//i : /^https?:\/\//i).test(url)) return `must be an ${schemes} URL`;
  if (CREDENTIALS.test(url)) return 'must not contain credentials';
  if (!allowPrivate && isPrivateHost(parsed.hostname))
    return 'must not point to a private, loopback or otherwise reserved address';
  return null;
};

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return isIP(host) === 0 ? /(^|\.)localhost$/.test(host) : !isPublicAddress(host);
}
