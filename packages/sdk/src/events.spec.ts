import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ApiError, DeliveryClient, type FeedEvent } from './index.js';

type Respond = (url: URL, init: RequestInit) => Promise<Response>;

const event = (id: string) => ({ id, messageLogId: 'm', type: 'delivered', occurredAt: '', recipient: null, data: {} });
const page = (nextCursor: string, ...ids: string[]): Respond => {
  const items = ids.map((id) => ({ ...event(id), cursor: `behind ${id}` }));
  return () => Promise.resolve(new Response(JSON.stringify({ items, nextCursor })));
};
const refusal = (status: number, headers = {}): Respond => {
  const body = JSON.stringify({ message: 'no', error: 'No', statusCode: status });
  return () => Promise.resolve(new Response(body, { status, headers }));
};
const reset: Respond = () => Promise.reject(new TypeError('fetch failed'));
/** Waits for the end of the request, as the service does while it waits for an event. */
const hold: Respond = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal!.addEventListener('abort', () => {
      reject(signal!.reason as Error);
    });
  });

describe('messages.events', () => {
  let asked: Record<string, string>[];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    asked = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const clientOf = (...responses: Respond[]) =>
    new DeliveryClient({
      apiKey: 'sk_secret',
      baseUrl: 'http://mail.example.com',
      fetch: (address, init) => {
        const url = new URL(address);
        asked.push(Object.fromEntries(url.searchParams));
        return (responses[asked.length - 1] ?? hold)(url, init);
      },
    });

  /** Follows until the service waits, and returns what it saw and why it ended. */
  async function follow(client: DeliveryClient, options: Parameters<DeliveryClient['messages']['events']>[0] = {}) {
    const leaving = new AbortController();
    const seen: FeedEvent[] = [];
    const following = (async () => {
      for await (const found of client.messages.events(options, { signal: leaving.signal })) seen.push(found);
    })();
    const ended = following.catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(19_000);
    leaving.abort(new Error('enough'));
    return { seen: seen.map(({ id }) => id), error: await ended };
  }

  it('begins now, goes on behind each page, and ends with the signal', async () => {
    const { seen, error } = await follow(clientOf(page('1'), page('2', 'a', 'b'), page('3'), page('4', 'c')));
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(error).toEqual(new Error('enough'));
    const rest = { limit: '100', wait: '20' };
    expect(asked).toEqual([rest, ...['1', '2', '3', '4'].map((after) => ({ ...rest, after }))]);
  });

  it('begins behind a cursor, with the wanted types', async () => {
    const { seen } = await follow(clientOf(page('2', 'a')), { after: 'x', types: ['bounced', 'complained'] });
    expect(seen).toEqual(['a']);
    expect(asked[0]).toMatchObject({ after: 'x' });
  });

  it('repeats what fails for as long as it takes, at the same position', async () => {
    const failures = [reset, refusal(503), refusal(429, { 'Retry-After': '1' }), reset];
    const { seen } = await follow(clientOf(page('1'), ...failures, page('2', 'a')));
    expect(seen).toEqual(['a']);
    expect(asked.map(({ after }) => after)).toEqual([undefined, '1', '1', '1', '1', '1', '2']);
  });

  it('ends with what no repetition mends', async () => {
    const { seen, error } = await follow(clientOf(page('1', 'a'), refusal(401)));
    expect(seen).toEqual(['a']);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401 });
  });

  it('allows the service its wait, beyond the time limit of a call', async () => {
    const client = clientOf(page('1'), hold, page('2', 'a'));
    const first = client.messages.events({}, { timeoutMs: 1_000 }).next();
    await jest.advanceTimersByTimeAsync(20_900);
    expect(asked).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(700);
    expect((await first).value).toMatchObject({ id: 'a', cursor: 'behind a' });
  });
});
