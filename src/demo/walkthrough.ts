import type { CaughtMail, Inbox } from './inbox.js';

export const DEMO_ADMIN = { email: 'admin@example.com', password: 'demo-password', accountName: 'Demo' };
export const DEMO_SENDER = 'hello@example.com';

const TIMEOUT_MS = 60_000;

export interface FirstMail {
  secret: string;
  mail: CaughtMail;
  message: { status: string; events: { type: string; occurredAt: string; data: Record<string, unknown> }[] };
}

/** Does what a new user would do over HTTP: sign in, verify a sender, create a key, send, read the timeline. */
export async function sendFirstMail(baseUrl: string, inbox: Inbox): Promise<FirstMail> {
  const api = new Api(baseUrl);
  const { accessToken } = await api.call<{ accessToken: string }>('POST', '/api/auth/login', {}, DEMO_ADMIN_LOGIN);
  const session = { Authorization: `Bearer ${accessToken}` };
  await verifySender(api, session, inbox);
  const { secret } = await api.call<{ secret: string }>('POST', '/api/api-keys', session, {
    name: `Demo ${new Date().toISOString()}`,
    scopes: ['send', 'read_events'],
  });
  const key = { 'X-API-Key': secret };
  const { messageLogId } = await api.call<{ messageLogId: string }>('POST', '/api/send/transactional', key, {
    to: 'ada@example.org',
    fromEmail: DEMO_SENDER,
    fromName: 'Delivery demo',
    subject: 'It works',
    html: '<h1>It works</h1><p>This mail went through the whole service: accepted, stored, queued, delivered over SMTP.</p>',
  });
  const mail = await inbox.waitFor(({ parsed }) => parsed.messageId?.includes(messageLogId) ?? false, TIMEOUT_MS);
  return { secret, mail, message: await waitForOutcome(api, key, messageLogId) };
}

const DEMO_ADMIN_LOGIN = { email: DEMO_ADMIN.email, password: DEMO_ADMIN.password };

/** The sender is verified already if the demo has run before. */
async function verifySender(api: Api, session: Record<string, string>, inbox: Inbox): Promise<void> {
  const { items } = await api.call<{ items: { id: string; email: string; status: string }[] }>(
    'GET',
    '/api/senders?limit=100',
    session,
  );
  const known = items.find(({ email }) => email === DEMO_SENDER);
  if (known?.status === 'verified') return;
  if (known) await api.call('DELETE', `/api/senders/${known.id}`, session);
  await api.call('POST', '/api/senders', session, { email: DEMO_SENDER });
  const { parsed } = await inbox.waitFor(({ envelopeTo }) => envelopeTo.includes(DEMO_SENDER), TIMEOUT_MS);
  const link = /\/verify-sender\/\S+/.exec(parsed.text ?? '')?.[0];
  if (!link) throw new Error('The verification mail holds no link');
  await api.send('POST', link);
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
}
