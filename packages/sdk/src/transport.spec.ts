import { describe, expect, it, jest } from '@jest/globals';

import { afterTimersOf, nextIteration } from '../../../test/support/event-loop.js';
import { ApiError, type ClientOptions, ConnectionError, DeliveryClient, TimeoutError } from './index.js';

interface Sent {
  url: string;
  method: string | undefined;
  headers: Headers;
  body: unknown;
}

const EMAIL = { to: 'ada@example.org', fromEmail: 'you@example.com', subject: 'Hello', text: 'Hello' };
const QUEUED = { queued: true, messageLogId: 'c0mk3v9p0x7f2k9d1q8z5w4ab' };
const REFUSAL = { message: 'ada@example.org is suppressed', error: 'Bad Request', code: 'suppressed' };

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
const reset = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }));

/** A client whose requests get these responses, one after another, and what it sent. */
function clientOf(responses: ((init: RequestInit) => Promise<Response>)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const client = new DeliveryClient({
    apiKey: 'sk_secret',
    baseUrl: 'http://mail.example.com/',
    fetch: (url, init) => {
      const { method, body, headers } = init;
      sent.push({ url, method, body, headers: new Headers(headers) });
      const respond = responses[sent.length - 1];
      if (!respond) throw new Error('There was one request too many');
      return respond(init);
    },
    ...options,
  });
  return { client, sent };
}

const failure = async (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => {
      throw new Error('It did not fail');
    },
    (error: unknown) => error as Error,
  );

describe('a call', () => {
  it('has the key, JSON, and an idempotency key of its own if it is a send', async () => {
    const { client, sent } = clientOf([json(QUEUED, 201), json(QUEUED, 201), json({ items: [], nextCursor: null })]);
    expect(await client.emails.send(EMAIL)).toEqual(QUEUED);
    await client.emails.send(EMAIL);
    await client.messages.page({ status: ['sent', 'failed'], scheduled: true, from: new Date(0), limit: 5 });

    const [first, second, list] = sent as [Sent, Sent, Sent];
    expect(first.url).toBe('http://mail.example.com/api/send/transactional');
    expect(first.method).toBe('POST');
    expect(first.headers.get('x-api-key')).toBe('sk_secret');
    expect(first.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(first.body as string)).toEqual(EMAIL);
    const keys = [first, second].map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(keys[0]).not.toBe(keys[1]);
    expect(list.headers.has('idempotency-key')).toBe(false);
    expect(list.url).toBe(
      'http://mail.example.com/api/messages?limit=5&status=sent&status=failed&scheduled=true&from=1970-01-01T00%3A00%3A00.000Z',
    );
  });

  it('repeats a send with one idempotency key, the own one if there is one', async () => {
    for (const idempotencyKey of [undefined, 'order-4711']) {
      const { client, sent } = clientOf([reset, json(REFUSAL, 503), json(QUEUED, 201)]);
      expect(await client.emails.send(EMAIL, { idempotencyKey })).toEqual(QUEUED);
      const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
      expect(sent).toHaveLength(3);
      expect(keys.size).toBe(1);
      if (idempotencyKey) expect([...keys]).toEqual([idempotencyKey]);
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    }
  });

  it('throws what the service says, with the rate limit', async () => {
    const limited = { message: 'Daily send limit reached', error: 'Too Many Requests', code: 'daily_limit' };
    const headers = {
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1800000000',
      'Retry-After': '40000',
    };
    const { client, sent } = clientOf([json(limited, 429, headers)]);
    const error = await failure(client.emails.send(EMAIL, { idempotencyKey: 'k' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 429,
      code: 'daily_limit',
      message: 'Daily send limit reached',
      reason: 'Too Many Requests',
      rateLimit: { limit: 1_000, remaining: 0, resetsAt: new Date(1_800_000_000_000) },
      retryAfterSeconds: 40_000,
      attempts: 1,
      idempotencyKey: 'k',
    });
    expect(sent).toHaveLength(1);
  });

  it('gives up after the retries', async () => {
    const { client, sent } = clientOf([reset, reset], { maxRetries: 1 });
    const error = await failure(client.emails.send(EMAIL));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: 'The service cannot be reached: read ECONNRESET',
      attempts: 2,
      idempotencyKey: sent[0]?.headers.get('idempotency-key'),
    });
    expect(await failure(clientOf([reset]).client.messages.get('c1', { maxRetries: 0 }))).toBeInstanceOf(
      ConnectionError,
    );
  });

  it('does not repeat what has another result then', async () => {
    const { client, sent } = clientOf([reset]);
    expect(await failure(client.lists.create('Readers'))).toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(1);
  });

  it('throws the text of a response that is not of the service', async () => {
    const page = () => Promise.resolve(new Response('<h1>Forbidden</h1>', { status: 403, statusText: 'Forbidden' }));
    expect(await failure(clientOf([page]).client.messages.get('c1'))).toMatchObject({
      status: 403,
      message: 'The service responded with status 403',
      code: null,
      reason: 'Forbidden',
      ...{ rateLimit: null, retryAfterSeconds: null },
    });
    const welcome = () => Promise.resolve(new Response('<h1>Welcome</h1>', { headers: { 'Content-Length': '16' } }));
    const error = await failure(clientOf([welcome]).client.messages.get('c1', { maxRetries: 0 }));
    expect(error).toBeInstanceOf(ConnectionError);
  });

  it('takes a success without JSON for none: nothing says that it is stored', async () => {
    const empty = (init: ResponseInit) => () => Promise.resolve(new Response(null, init));
    for (const respond of [
      empty({ status: 204 }),
      empty({ headers: { 'Content-Length': '0' } }),
      empty({}),
      json('ok'),
    ]) {
      const { client, sent } = clientOf([respond, respond], { maxRetries: 0 });
      const error = await failure(client.emails.send(EMAIL));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ idempotencyKey: sent[0]?.headers.get('idempotency-key'), mayHaveSucceeded: true });
      expect(await failure(client.messages.list().next())).toBeInstanceOf(ConnectionError);
    }
  });

  it('says whether one of its requests may have had its effect', async () => {
    const cases = { '400': false, '429': false, '408': true, '504': true, '504 401': true };
    for (const [statuses, mayHaveSucceeded] of Object.entries(cases)) {
      const responses = statuses.split(' ').map((status) => json(REFUSAL, Number(status), { 'Retry-After': '0' }));
      const { client } = clientOf(responses, { maxRetries: responses.length - 1 });
      expect(await failure(client.emails.send(EMAIL))).toMatchObject({ mayHaveSucceeded });
    }
  });

  it('does not follow a redirect', async () => {
    const moved = () =>
      Promise.resolve(new Response(null, { status: 301, headers: { Location: 'https://other.example' } }));
    const { client } = clientOf([
      (init) => {
        expect(init.redirect).toBe('manual');
        return moved();
      },
    ]);
    expect(await failure(client.emails.send(EMAIL))).toMatchObject({
      status: 301,
      message: 'The service redirects to https://other.example: set baseUrl to the address it redirects to',
    });
  });

  it('understands a date in Retry-After', async () => {
    const headers = { 'Retry-After': new Date(Date.now() + 3_600_000).toUTCString() };
    const error = (await failure(clientOf([json(REFUSAL, 503, headers)]).client.messages.get('c1'))) as ApiError;
    expect(error.retryAfterSeconds).toBeGreaterThan(3_590);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(3_600);
  });
});

/** Never responds, and rejects when the request is aborted. */
const silence = ({ signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

/** Responds after timers that are due have fired, unless the call was ended. */
const slow = async ({ signal }: RequestInit) => {
  await afterTimersOf(1); // Node makes 1 ms of a delay that is too long
  signal?.throwIfAborted();
  return json(QUEUED, 201)();
};

describe('the end of a call', () => {
  it('comes with its time limit', async () => {
    const { client, sent } = clientOf([silence, silence], { timeoutMs: 20, maxRetries: 1 });
    const error = await failure(client.emails.send(EMAIL));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ name: 'TimeoutError', message: 'No response within 20 ms', attempts: 2 });
    expect(sent).toHaveLength(2);
  });

  it.each([Infinity, 2 ** 31])('does not come at once with a time limit of %d ms', async (timeoutMs) => {
    const { client } = clientOf([slow], { timeoutMs });
    expect(await client.emails.send(EMAIL)).toEqual(QUEUED);
  });

  it('comes with a body that does not end', async () => {
    const endless = ({ signal }: RequestInit) => {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{'));
          signal?.addEventListener('abort', () => {
            controller.error(signal.reason);
          });
        },
      });
      return Promise.resolve(new Response(body));
    };
    const call = clientOf([endless]).client.messages.get('c1', { timeoutMs: 20, maxRetries: 0 });
    expect(await failure(call)).toBeInstanceOf(TimeoutError);
  });

  it('comes with the signal: before, during and between attempts', async () => {
    const stop = new Error('stop');
    const before = clientOf([]);
    expect(await failure(before.client.emails.send(EMAIL, { signal: AbortSignal.abort(stop) }))).toBe(stop);

    const during = new AbortController();
    const waiting = clientOf([
      (init) => {
        queueMicrotask(() => {
          during.abort(stop);
        });
        return silence(init);
      },
    ]);
    expect(await failure(waiting.client.emails.send(EMAIL, { signal: during.signal }))).toBe(stop);

    const between = new AbortController();
    const limited = clientOf([json(REFUSAL, 503, { 'Retry-After': '29' })]);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const failed = failure(limited.client.emails.send(EMAIL, { signal: between.signal }));
    const isPausing = () => timers.mock.calls.some(([, ms]) => ms !== undefined && ms >= 29_000 && ms < 30_000);
    while (!isPausing()) await nextIteration();
    timers.mockRestore();
    between.abort(stop);
    expect(await failed).toBe(stop);
    expect(limited.sent).toHaveLength(1);
  });

  it('comes at once with a fault of the program', async () => {
    const email = { ...EMAIL, variables: { amount: 1n } };
    expect(await failure(clientOf([]).client.emails.send(email))).toBeInstanceOf(TypeError);
    const { client } = clientOf([]);
    expect(await failure(client.emails.send(EMAIL, { idempotencyKey: 'ä' }))).toMatchObject({
      message: 'idempotencyKey must have 1 to 255 visible ASCII characters',
    });
    const make = (options: Partial<ClientOptions>) => () => clientOf([], options);
    expect(make({ apiKey: '' })).toThrow('apiKey must be the secret of an API key');
    expect(make({ timeoutMs: 0 })).toThrow('timeoutMs must be more than 0');
    expect(make({ timeoutMs: NaN })).toThrow('timeoutMs must be more than 0');
    expect(await failure(client.messages.get('c1', { timeoutMs: -1 }))).toBeInstanceOf(TypeError);
    expect(make({ baseUrl: 'ftp://x' })).toThrow('baseUrl must be an http or https address');
    expect(make({ baseUrl: 'mail.example.com' })).toThrow(TypeError);
  });
});

describe('a list', () => {
  const page = (ids: string[], nextCursor: string | null) => json({ items: ids.map((id) => ({ id })), nextCursor });

  it('fetches a page when the loop reaches it', async () => {
    const { client, sent } = clientOf([page(['c1', 'c2'], 'next'), page([], 'after'), page(['c3'], null)]);
    const ids: string[] = [];
    for await (const { id } of client.messages.list({ tag: 'invoice' })) {
      ids.push(id);
      expect(sent).toHaveLength(id === 'c3' ? 3 : 1);
    }
    expect(ids).toEqual(['c1', 'c2', 'c3']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?tag=invoice&limit=100',
      '?tag=invoice&limit=100&cursor=next',
      '?tag=invoice&limit=100&cursor=after',
    ]);
  });

  it('ends with its loop', async () => {
    const { client, sent } = clientOf([page(['c1', 'c2'], 'next')]);
    for await (const message of client.messages.list()) {
      expect(message.id).toBe('c1');
      break;
    }
    expect(sent).toHaveLength(1);
  });

  it('ends with the last of numbered pages', async () => {
    const numbered = (id: string) => json({ items: [{ id }], totalPages: 2 });
    const ids: string[] = [];
    for await (const { id } of clientOf([numbered('c1'), numbered('c2')]).client.contacts.list()) ids.push(id);
    for await (const { id } of clientOf([json({ items: [], totalPages: 0 })]).client.lists.list()) ids.push(id);
    expect(ids).toEqual(['c1', 'c2']);
  });
});

describe('an attachment', () => {
  it('is text in base64, bytes or a blob', async () => {
    const { client, sent } = clientOf([json(QUEUED, 201)]);
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
    const content = ['SGVsbG8=', bytes, bytes.buffer, new Blob([bytes]), bytes.subarray(1, 3)];
    const attachments = content.map((file) => ({ filename: 'a.bin', content: file }));
    await client.emails.send({ ...EMAIL, attachments, scheduledAt: new Date(0) });
    const base64 = Buffer.from(bytes).toString('base64');
    const body = JSON.parse(sent[0]?.body as string);
    expect(body.attachments.map((file: { content: string }) => file.content)).toEqual([
      'SGVsbG8=',
      base64,
      base64,
      base64,
      'AQI=',
    ]);
    expect(body.scheduledAt).toBe('1970-01-01T00:00:00.000Z');
  });
});
