import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Scope } from '../../src/shared/permissions.js';
import type { TestAccount } from '../support/account.js';
import { sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';
import { addTopic } from '../support/topics.js';

const PROGRAM = fileURLToPath(new URL('../support/run-mcp-server.mjs', import.meta.url));
const FROM = 'shop@example.com';
const READS = [
  'aggregate_messages',
  'get_contact',
  'get_message',
  'list_contacts',
  'list_lists',
  'list_messages',
  'list_topics',
  'preview_sms',
];
const CHANGES = ['cancel_message', 'reschedule_message', 'send_email', 'send_sms'];

describe('opt-in-delivery-mcp', () => {
  let service: TestService;
  let account: TestAccount;
  let secret: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    await account.verifySender(FROM);
    ({ secret } = await account.createKey());
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  const environment = (key: string, url = service.url) => ({
    PATH: process.env.PATH!,
    DELIVERY_API_KEY: key,
    DELIVERY_BASE_URL: url,
  });
  /** The official client, and the server as its child process. */
  const connect = async (args: string[] = [], key = secret, url = service.url) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    clients.push(client);
    const command = { command: process.execPath, args: [PROGRAM, ...args], env: environment(key, url) };
    await client.connect(new StdioClientTransport(command));
    return client;
  };
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = (await client.callTool({ name, arguments: args })) as {
      content: { text: string }[];
      isError?: boolean;
    };
    const [{ text }] = content as [{ text: string }];
    return isError ? { error: text } : { result: JSON.parse(text) };
  };
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();
  const stored = async () =>
    (await service.query('SELECT FROM message_logs WHERE account_id = $1', [account.id])).length;

  it('only reads, unless it is allowed to send', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(READS);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const refused = await call(client, 'send_email', {
      to: 'ada@example.org',
      fromEmail: FROM,
      subject: 'Hi',
      text: 'Hi',
    });
    expect(refused).toMatchObject({ error: expect.stringContaining('not found') });
    expect(await stored()).toBe(0);
  });

  it('returns messages, their counts and contacts', async () => {
    const id = await sendEmail(service, secret, { text: 'Hello', tags: ['welcome'] });
    const contact = { email: 'ada@example.org', tags: ['customer'] };
    await service.request('post', '/api/contacts').set('X-API-Key', secret).send(contact).expect(201);
    const client = await connect();
    expect(await call(client, 'list_messages', { tag: 'welcome', status: ['queued'], limit: 5 })).toMatchObject({
      result: { items: [{ id, status: 'queued' }], nextCursor: null },
    });
    expect(await call(client, 'get_message', { id })).toMatchObject({ result: { id, events: [] } });
    expect(await call(client, 'aggregate_messages')).toMatchObject({ result: { total: 1, status: { queued: 1 } } });
    const { result } = await call(client, 'list_contacts', { tag: 'customer' });
    expect(result).toMatchObject({ items: [contact], total: 1 });
    expect(await call(client, 'get_contact', { id: result.items[0].id })).toMatchObject({ result: contact });
    expect(await call(client, 'list_lists')).toMatchObject({ result: { items: [] } });
    const { id: topicId } = await addTopic(account);
    expect(await call(client, 'list_topics')).toMatchObject({ result: { items: [{ id: topicId }] } });
    expect(await call(client, 'list_messages', { topicId })).toMatchObject({ result: { items: [] } });
    expect(await call(client, 'preview_sms', { text: 'Hello' })).toMatchObject({ result: { segments: 1 } });
  });

  it('returns what the service refuses as the error of the tool, and goes on', async () => {
    const { secret: key } = await account.createKey({ scopes: ['read_events'] satisfies Scope[] });
    const client = await connect([], key);
    expect(await call(client, 'get_message', { id: `c${'0'.repeat(24)}` })).toMatchObject({
      error: expect.stringMatching(/^404 /),
    });
    expect(await call(client, 'list_contacts')).toEqual({
      error: '403 Forbidden: API key is missing required scope: contacts:read',
    });
    expect(await call(client, 'list_messages', { limit: 0 })).toMatchObject({ error: expect.any(String) });
    expect(await call(client, 'list_messages')).toMatchObject({ result: { items: [] } });
  });

  it('sends, reschedules and cancels with --allow-send, with a live key only if --live is given, too', async () => {
    const client = await connect(['--allow-send', '--live']);
    expect(await namesOf(client)).toEqual([...READS, ...CHANGES].sort());
    const at = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();
    const email = { to: 'ada@example.org', fromEmail: FROM, subject: 'Hello', text: 'Hello', scheduledAt: at(1) };
    const first = await call(client, 'send_email', { ...email, idempotencyKey: 'once' });
    const again = await call(client, 'send_email', { ...email, idempotencyKey: 'once' });
    expect(again).toEqual(first);
    expect(await stored()).toBe(1);
    const { messageLogId: id } = first.result;
    const later = at(2);
    expect(await call(client, 'reschedule_message', { id, scheduledAt: later })).toMatchObject({
      result: { scheduledAt: later },
    });
    expect(await call(client, 'cancel_message', { id })).toMatchObject({ result: { status: 'canceled' } });
    expect(await call(client, 'send_sms', { to: '+14155550100', body: 'Hello' })).toMatchObject({
      error: expect.stringMatching(/^400 /),
    });
  });

  it('says how to repeat a send of which it is unknown whether it arrived', async () => {
    const keys: unknown[] = [];
    // A wait for which it does not wait.
    const proxy = createServer(({ headers }, response) => {
      keys.push(headers['idempotency-key']);
      response.writeHead(504, { 'Retry-After': '60' }).end('<h1>Sorry</h1>');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = proxy.address() as AddressInfo;
      const client = await connect(['--allow-send'], 'sk_test_of_nobody', `http://127.0.0.1:${port}`);
      const sms = { to: '+14155550100', body: 'Hello' };
      const hint = 'It may have been sent: repeat it with the idempotencyKey';
      const reason = '504 Gateway Timeout: The service responded with status 504';
      expect(await call(client, 'send_sms', sms)).toEqual({ error: `${reason}. ${hint} ${String(keys[0])}` });
      expect(await call(client, 'list_messages')).toEqual({ error: reason });
    } finally {
      await new Promise((resolve) => {
        proxy.close(resolve);
        proxy.closeAllConnections();
      });
    }
  });

  it.each([
    [['--allow-send'], 'sk_live', '--allow-send with a live key needs --live'],
    [['--send'], 'sk_live', "Unknown option '--send'"],
    [[], '', 'DELIVERY_API_KEY must hold the secret of an API key'],
  ])('does not start with %j and the key %j', (args, key, message) => {
    const child = spawnSync(process.execPath, [PROGRAM, ...args], { env: environment(key), encoding: 'utf8' });
    expect(child).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('takes a test key without --live', async () => {
    const client = await connect(['--allow-send'], 'sk_test_of_nobody');
    expect(await namesOf(client)).toEqual([...READS, ...CHANGES].sort());
    expect(await call(client, 'list_messages')).toEqual({ error: '401 Unauthorized: Invalid API key' });
  });
});
