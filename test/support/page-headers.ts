import { expect } from '@jest/globals';

/** Of a page for people that loads, runs and frames nothing, is kept nowhere and leaks its address to nobody. */
export const PAGE_HEADERS = {
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  ),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
};
