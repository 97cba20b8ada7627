import { createHash, randomBytes } from 'node:crypto';

import type { Response } from 'express';

import { type Branding, DEFAULT_BRAND_COLOR, logoSource } from '../../shared/branding.js';
import { readableOn } from '../../shared/readable-color.js';
import { escapeHtml } from '../../shared/text.js';

/** The colors and shapes are those of the dashboard. */
const styleFor = (
  color: string,
): string => `:root{color-scheme:light dark;--brand:${color};--on-brand:${readableOn(color)};
--canvas:#f7f8fa;--surface:#fff;--text:#1d2127;--dimmed:#5c636b;--line:#e4e7eb}
@media (prefers-color-scheme:dark){:root{--canvas:#0f1114;--surface:#1d2127;--text:#d3d7de;--dimmed:#a3a9b3;--line:#333942}}
*{box-sizing:border-box}
body{margin:0;padding:clamp(1.5rem,8vh,5rem) 1rem 2rem;background:var(--canvas);color:var(--text);overflow-wrap:anywhere;
font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main{max-width:32rem;margin:0 auto}
header{padding:0 .25rem 1rem;font-weight:600;font-size:1.125rem}
header img{display:block;max-width:100%;max-height:3.5rem}
main{padding:clamp(1.25rem,5vw,2rem);background:var(--surface);border:1px solid var(--line);border-top:4px solid var(--brand);
border-radius:.5rem}
h1{margin:0 0 1rem;font-size:1.375rem;line-height:1.3;font-weight:600}
p{margin:0 0 1rem}
main>:last-child{margin-bottom:0}
form+p{color:var(--dimmed);font-size:.875rem}
form{margin:1.5rem 0}
button{font:inherit;font-weight:600;padding:.625rem 1.25rem;min-height:2.75rem;max-width:100%;border:1px solid var(--line);
border-radius:.5rem;background:var(--brand);color:var(--on-brand);cursor:pointer;overflow-wrap:anywhere}
button:hover{filter:brightness(.93)}
button:focus-visible,a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
a{color:inherit}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}`;

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** The brand of the account that the page belongs to. */
export interface PageBrand extends Branding {
  name: string;
}

/** Optional parts of a page besides text, links and a form. All of them are trusted. */
export interface PageExtras {
  /** CSS rules. */
  style?: string;
  /** Addresses of style sheets and of module scripts, which may load workers and data from the same origin. */
  styleSheets?: readonly string[];
  scripts?: readonly string[];
  /** Origins of pages that may show this one in a frame. */
  frameAncestors?: readonly string[];
  /** Origins that a response to the form may redirect to, which browsers check like its target. */
  redirectOrigins?: readonly string[];
  /** Whether the address of the page holds no secret. Then its form is sent with its origin. */
  isPublic?: boolean;
}

export interface HtmlPage {
  /** Plain text for the title and the heading. */
  title: string;
  /** HTML; values from outside must be escaped already. */
  body: string;
  /** Absent if the account of the page is not known. */
  brand?: PageBrand;
  /** Default: English. */
  language?: string;
  extras?: PageExtras;
}

/**
 * Stricter than helmet's policy: nothing is loaded, framed or run but the logo and what the page has by name. It also
 * lacks the upgrade of forms to https, which an installation without TLS does not serve.
 */
function policyOf(styles: readonly string[], logoUrl: string | null, extras: PageExtras, nonce: string): string {
  const { styleSheets = [], scripts = [], frameAncestors = [], redirectOrigins = [] } = extras;
  return [
    "default-src 'none'",
    ...(logoUrl === null ? [] : [`img-src ${logoSource(logoUrl)}`]),
    `style-src ${[...styles.map(hashOf), ...(styleSheets.length > 0 ? [`'nonce-${nonce}'`] : [])].join(' ')}`,
    ...(scripts.length > 0 ? [`script-src 'nonce-${nonce}'`, "worker-src 'self'", "connect-src 'self'"] : []),
    `form-action ${["'self'", ...redirectOrigins].join(' ')}`,
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ');
}

function headOf(styles: readonly string[], { styleSheets = [], scripts = [] }: PageExtras, nonce: string): string {
  return [
    ...styles.map((style) => `<style>${style}</style>`),
    ...styleSheets.map((url) => `<link rel="stylesheet" href="${escapeHtml(url)}" nonce="${nonce}">`),
    ...scripts.map((url) => `<script type="module" src="${escapeHtml(url)}" nonce="${nonce}"></script>`),
  ].join('\n');
}

/**
 * Responds with a page for people who have no login, in the common layout and the account's colors. It is not cached.
 * Unless it is public, its address holds a secret: it is not sent as a referrer.
 */
export function sendPage(
  response: Response,
  status: number,
  { title, body, brand, language = 'en', extras = {} }: HtmlPage,
): void {
  const heading = escapeHtml(title);
  const nonce = randomBytes(16).toString('base64');
  const styles = [styleFor(brand?.color ?? DEFAULT_BRAND_COLOR), ...(extras.style ? [extras.style] : [])];
  // Older browsers apply this header of helmet in spite of the policy.
  if (extras.frameAncestors?.length) response.removeHeader('X-Frame-Options');
  response
    .status(status)
    .set({
      'Content-Security-Policy': policyOf(styles, brand?.logoUrl ?? null, extras, nonce),
      'Referrer-Policy': extras.isPublic ? 'strict-origin-when-cross-origin' : 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    })
    .type('html').send(`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
${headOf(styles, extras, nonce)}
</head>
<body>
${brand ? headerFor(brand) : ''}<main>
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`);
}

/** The name is the text of the logo. */
function headerFor({ name, logoUrl }: PageBrand): string {
  const shown = escapeHtml(name);
  return `<header>${logoUrl === null ? shown : `<img src="${escapeHtml(logoUrl)}" alt="${shown}">`}</header>\n`;
}
