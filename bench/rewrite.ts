import { trackHtml } from '../src/modules/tracking/domain/track-html.js';
import { HmacTrackedLinks } from '../src/modules/tracking/infrastructure/hmac-tracked-links.js';
import type { Config } from '../src/config/config.js';
import { newId } from '../src/shared/ids.js';
import { median, quantile, type Row } from './support/report.js';

const ROUNDS = 50;
const NEWSLETTER = { links: 200, bytes: 120_000 };

/** Time to rewrite the links of a message and to add the pixel. */
export function benchRewrite(): Promise<Row[]> {
  const config = { appSecret: 'a secret for benchmarks, 32 characters', baseUrl: 'https://mail.example.com' };
  const { signing } = new HmacTrackedLinks(config as Config);
  const message = { id: newId(new Date()), unsubscribeUrl: 'https://shop.example.com/unsubscribe' };
  const timesFor = (html: string): number[] => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      trackHtml(signing, message, html);
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  const first = timesFor(newsletter(NEWSLETTER.links, NEWSLETTER.bytes));
  const many = timesFor(newsletter(5_000, 1_000_000));
  return Promise.resolve([
    { name: 'rewrite: 120 kB with 200 links, the first one, ms', ours: first[0] ?? NaN, aim: '' },
    { name: 'rewrite: 120 kB with 200 links, median, ms', ours: median(first), aim: '≤ 30' },
    { name: 'rewrite: 120 kB with 200 links, p95, ms', ours: quantile(first, 0.95), aim: '≤ 30' },
    { name: 'rewrite: 1 MB with 5,000 links, median, ms', ours: median(many), aim: '' },
  ]);
}

/** Nested tables with inline styles, as from common editors. */
function newsletter(links: number, bytes: number): string {
  const cell = (
    i: number,
  ) => `<table role="presentation" width="100%" cellpadding="0"><tr><td style="padding:8px 0;color:#333">
<a href="https://shop.example.com/offers/${i}?utm_source=newsletter&amp;utm_campaign=november&amp;item=${i}" style="color:#06c">Offer&nbsp;${i}</a></td></tr></table>`;
  const frame = (body: string) =>
    `<!doctype html><html><head><style>a{color:#06c}@media(max-width:600px){td{padding:4px}}</style></head><body>${body}</body></html>`;
  const body = Array.from({ length: links }, (_, i) => cell(i));
  const missing = Math.max(0, bytes - frame(body.join('')).length);
  const text = 'Our warehouse has new things in it &amp; you may be the first to see them. ';
  const filling = text.repeat(Math.ceil(missing / links / text.length)).slice(0, missing / links);
  return frame(body.map((html) => html + filling).join(''));
}
