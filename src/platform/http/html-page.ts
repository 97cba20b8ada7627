import { createHash } from 'node:crypto';

import type { Response } from 'express';

import { escapeHtml } from '../../shared/text.js';

const STYLE = `:root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}
body{max-width:36rem;margin:3rem auto;padding:0 1.25rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}
button{font:inherit;padding:.6rem 1.2rem;cursor:pointer}`;

/**
 * Stricter than helmet's policy: nothing is loaded, framed or run. It also lacks the upgrade of forms to https, which
 * an installation without TLS does not serve.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export interface HtmlPage {
  /** Plain text for the title and the heading. */
  title: string;
  /** HTML; values from outside must be escaped already. */
  body: string;
}

/** Responds with a small page. Its address holds a secret, so it is neither cached nor sent as a referrer. */
export function sendPage(response: Response, status: number, { title, body }: HtmlPage): void {
  const heading = escapeHtml(title);
  response
    .status(status)
    .set({
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    })
    .type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`);
}
