import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

import { escapeHtml } from '../shared/text.js';
import type { CaughtMail, Inbox } from './inbox.js';

/** Serves the caught mails on loopback: a list at /, a mail at /<number>, its source at /<number>/raw. */
export async function serveInbox(inbox: Inbox, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const [, number, form] = /^\/(\d+)(?:\/(raw|html))?$/.exec(request.url ?? '/') ?? [];
    const mail = inbox.mails.find((caught) => caught.number === Number(number));
    // Mail is untrusted: it must not run or load anything.
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; sandbox allow-same-origin",
    );
    if (number !== undefined && !mail) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', `${form === 'raw' ? 'text/plain' : 'text/html'}; charset=utf-8`);
    if (!mail) response.end(listPage(inbox.mails));
    else if (form === 'raw') response.end(mail.raw);
    else if (form === 'html') response.end(mail.parsed.html || `<pre>${escapeHtml(mail.parsed.text ?? '')}</pre>`);
    else response.end(mailPage(mail));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const listPage = (mails: readonly CaughtMail[]): string =>
  page(
    'Inbox',
    `<h1>Inbox</h1><p>Every mail that this demo sent. Nothing leaves this machine. <a href="/">Reload</a></p>
     <table><tr><th>Received</th><th>To</th><th>Subject</th></tr>${[...mails].reverse().map(listRow).join('')}</table>`,
  );

const listRow = ({ number, receivedAt, envelopeTo, parsed }: CaughtMail): string =>
  `<tr><td>${receivedAt.toLocaleTimeString()}</td><td>${escapeHtml(envelopeTo.join(', '))}</td>
   <td><a href="/${number}">${escapeHtml(parsed.subject ?? '(no subject)')}</a></td></tr>`;

const mailPage = ({ number, envelopeTo, parsed }: CaughtMail): string =>
  page(
    parsed.subject ?? '',
    `<p><a href="/">← Inbox</a> · <a href="/${number}/raw">Source</a></p><h1>${escapeHtml(parsed.subject ?? '(no subject)')}</h1>
     <p>From ${escapeHtml(parsed.from?.text ?? '')}<br>To ${escapeHtml(envelopeTo.join(', '))}</p>
     <iframe src="/${number}/html" title="The mail"></iframe>`,
  );

const page = (title: string, body: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{width:100%;border-collapse:collapse}td,th{text-align:left;padding:.4rem;border-bottom:1px solid #8884}
iframe{width:100%;height:60vh;border:1px solid #8884;background:#fff}</style><body>${body}</body></html>`;
