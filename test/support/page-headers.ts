import { expect } from '@jest/globals';

/** Headers of a page that loads no resources, is not cached, framed or indexed, and sends no referrer. */
export const PAGE_HEADERS = {
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  ),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
};
