import { isIP } from 'node:net';

import { parseUrl } from '../../shared/parse-url.js';
import { isPublicAddress } from './public-address.js';

const MAX_LENGTH = 2_048;
/** Characters that a URL parser drops or rewrites, so that the URL would not work as it reads. */
const REWRITTEN = /[\s\\\p{Cc}]/u;

/** The setting that allows webhooks to private addresses. */
export const ALLOWED_BY = 'WEBHOOK_ALLOW_PRIVATE_NETWORKS=true';

/** Matches empty credentials too, which a parser drops. */
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

export interface UrlRules {
  httpsOnly: boolean;
  /** Allows private addresses; the other rules still apply. */
  allowPrivate: boolean;
}

/**
 * Returns the reason why the service must not post to this URL, as the end of a sentence that begins with its name;
 * null if it may. Addresses are checked in any spelling; the addresses of a host name are checked when connecting.
 */
export const urlFault = (url: string, { httpsOnly, allowPrivate }: UrlRules): string | null => {
  const schemes = httpsOnly ? 'https' : 'http or https';
  if (url.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const parsed = REWRITTEN.test(url) ? null : parseUrl(url);
  if (!parsed || !(httpsOnly ? /^https:\/\//i : /^https?:\/\//i).test(url)) return `must be an ${schemes} URL`;
  if (CREDENTIALS.test(url)) return 'must not contain credentials';
  if (!allowPrivate && isPrivateHost(parsed.hostname))
    return `must not point to a private, loopback or otherwise reserved address unless the operator sets ${ALLOWED_BY}`;
  return null;
};

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return isIP(host) === 0 ? /(^|\.)localhost$/.test(host) : !isPublicAddress(host);
}
