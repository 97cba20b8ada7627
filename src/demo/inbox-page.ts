import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';

import { escapeHtml } from '../shared/text.js';
import { type CaughtMail, type Inbox, KEPT_MAILS } from './inbox.js';

/** Receivers of webhooks: one accepts every event, one refuses all. */
export const HOOKS = { accepting: '/hooks/crm', refusing: '/hooks/warehouse' };

/** Mail is untrusted: it must not run or load anything. Its links open in a tab of their own. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; " +
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox';
const IN_NEW_TAB = '<!doctype html><base target="_blank">';

const bodyOf = ({ parsed: { html, text } }: CaughtMail): string => html || `<pre>${escapeHtml(text ?? '')}</pre>`;

/**
 * Serves the caught mails on loopback: a list at /, a mail at /<number>, its source at /<number>/raw. It also answers
 * the webhooks of the demo.
 */
export async function serveInbox(inbox: Inbox, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      answerHook(request, response);
      return;
    }
    const [, number, form] = /^\/(\d+)(?:\/(raw|html))?$/.exec(request.url ?? '/') ?? [];
    const mail = inbox.mails.find((caught) => caught.number === Number(number));
    response.setHeader('Content-Security-Policy', POLICY);
    if (number !== undefined && !mail) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', `${form === 'raw' ? 'text/plain' : 'text/html'}; charset=utf-8`);
    if (!mail) response.end(listPage(inbox.mails));
    else if (form === 'raw') response.end(mail.raw);
    else if (form === 'html') response.end(IN_NEW_TAB + bodyOf(mail));
    else response.end(mailPage(mail));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function answerHook(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.sendDate = false; // the attempts of the history are older than this moment
  if (request.url === HOOKS.accepting) response.writeHead(204).end();
  else if (request.url === HOOKS.refusing) response.writeHead(503).end('Closed for maintenance');
  else response.writeHead(404).end();
}

const listPage = (mails: readonly CaughtMail[]): string =>
  page(
    'Inbox',
    `<h1>Inbox</h1><p>The newest ${KEPT_MAILS} mails that this demo sent. Nothing leaves this machine. <a href="/">Reload</a></p>
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
<style>:root{color-scheme:light dark;--canvas:#f7f8fa;--surface:#fff;--line:#e4e7eb;--link:#364fc7}
@media (prefers-color-scheme:dark){:root{--canvas:#0f1114;--surface:#1d2127;--line:#333942;--link:#91a7ff}}
body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;background:var(--canvas);overflow-wrap:anywhere}
a{color:var(--link)}h1{font-size:1.375rem}
table{width:100%;border-collapse:collapse;background:var(--surface);border:1px solid var(--line)}
td,th{text-align:left;padding:.5rem .75rem;border-bottom:1px solid var(--line)}
iframe{width:100%;height:75vh;border:1px solid var(--line);border-radius:.5rem;background:var(--surface)}</style><body>${body}</body></html>`;
