import { readFile, writeFile } from 'node:fs/promises';

import { EXAMPLE_SENDER, FROM_NAME, SENDER } from './history/company.js';
import type { CaughtMail, Inbox } from './inbox.js';
import { relayOf } from './relay-reports.js';

export const DEMO_ADMIN = { email: 'admin@example.com', password: 'demo-password' };

const TIMEOUT_MS = 60_000;

export interface FirstMail {
  secret: string;
  mail: CaughtMail;
  message: { status: string; events: { type: string; occurredAt: string; data: Record<string, unknown> }[] };
}

export interface Login {
  accessToken: string;
  account: { id: string };
}

interface Start {
  url: string;
  inbox: Inbox;
  /** The file that keeps the secret of the key from one start to the next. */
  keyFile: string;
}

export const signIn = (url: string): Promise<Login> => new Api(url).call('POST', '/api/auth/login', {}, DEMO_ADMIN);

/** Takes the steps of a new user over HTTP: verify a sender, create a key, send, read the timeline. */
export async function sendFirstMail({ accessToken }: Login, { url, inbox, keyFile }: Start): Promise<FirstMail> {
  const api = new Api(url);
  const session = { Authorization: `Bearer ${accessToken}` };
  await api.call('PATCH', '/api/settings', session, { smtp: relayOf(inbox) });
  for (const email of [EXAMPLE_SENDER, SENDER]) await verifySender(email, api, session, inbox);
  const secret = await keySecret(api, session, keyFile);
  const key = { 'X-API-Key': secret };
  const { messageLogId } = await api.call<{ messageLogId: string }>('POST', '/api/send/transactional', key, {
    to: 'ada@example.org',
    fromEmail: SENDER,
    fromName: FROM_NAME,
    subject: 'It works',
    html: '<h1>It works</h1><p>This mail went through the whole service: accepted, stored, queued, delivered over SMTP.</p>',
  });
  const mail = await inbox.waitFor(({ parsed }) => parsed.messageId?.includes(messageLogId) ?? false, TIMEOUT_MS);
  return { secret, mail, message: await waitForOutcome(api, key, messageLogId) };
}

/** The sender is verified already if the demo has run before. */
async function verifySender(email: string, api: Api, session: Record<string, string>, inbox: Inbox): Promise<void> {
  const { items } = await api.call<{ items: { id: string; email: string; status: string }[] }>(
    'GET',
    '/api/senders?limit=100',
    session,
  );
  const known = items.find((sender) => sender.email === email);
  if (known?.status === 'verified') return;
  if (known) await api.call('DELETE', `/api/senders/${known.id}`, session);
  await api.call('POST', '/api/senders', session, { email });
  const { parsed } = await inbox.waitFor(({ envelopeTo }) => envelopeTo.includes(email), TIMEOUT_MS);
  const link = /\/verify-sender\/\S+/.exec(parsed.text ?? '')?.[0];
  if (!link) throw new Error('The verification mail holds no link');
  await api.send('POST', link);
}

/** The secret of the last start if its key still works, or that of a new key. */
async function keySecret(api: Api, session: Record<string, string>, file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (kept !== null && (await api.accepts('/api/messages?limit=1', { 'X-API-Key': kept }))) return kept;
  const { secret } = await api.call<{ secret: string }>('POST', '/api/api-keys', session, {
    name: 'Demo',
    scopes: ['send', 'read_events', 'contacts:read', 'contacts:write'],
  });
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

/** The mail can be in the inbox a moment before its outcome is recorded. */
async function waitForOutcome(api: Api, key: Record<string, string>, id: string): Promise<FirstMail['message']> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const message = await api.call<FirstMail['message']>('GET', `/api/messages/${id}`, key);
    if (!['queued', 'sending'].includes(message.status) || Date.now() > deadline) return message;
  }
}

class Api {
  constructor(private readonly baseUrl: string) {}

  async call<T>(method: string, path: string, headers: Record<string, string>, body?: object): Promise<T> {
    return (await this.send(method, path, headers, body)).json() as Promise<T>;
  }

  async send(method: string, path: string, headers: Record<string, string> = {}, body?: object): Promise<Response> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  /** Whether the key of the headers may read the path. */
  async accepts(path: string, headers: Record<string, string>): Promise<boolean> {
    return (await fetch(`${this.baseUrl}${path}`, { headers })).ok;
  }
}
