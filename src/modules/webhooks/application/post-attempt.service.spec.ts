import { describe, expect, it } from '@jest/globals';

import { ElapsedTime, Lease } from '../../../shared/lease.js';
import { Clock } from '../../../shared/ports/clock.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import { type AttemptTarget, PostAttempt } from './post-attempt.service.js';
import { NoReplyError, WebhookClient, type WebhookPost, type WebhookReply } from './ports/webhook-client.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const LATER = new Date('2026-11-21T10:00:07Z');
const ATTEMPT = { id: 't', number: 2, event: 'sms.inbound', body: '{}' };
const TARGET: AttemptTarget = {
  url: 'https://example.com/hook',
  lane: 'e',
  sealedSecret: 'current',
  sealedPreviousSecret: null,
  previousSecretUntil: null,
};

class FakeClock extends Clock {
  time = NOW;

  now(): Date {
    return this.time;
  }
}

/** Responds as configured, after it has waited for a connection. */
class FakeClient extends WebhookClient {
  readonly posts: WebhookPost[] = [];
  sentHeaders: Record<string, string> = {};
  waitForConnection = (): void => undefined;

  constructor(private readonly reply: WebhookReply | Error) {
    super();
  }

  faultOf(): string | null {
    return null;
  }

  async post(request: WebhookPost): Promise<WebhookReply> {
    await Promise.resolve();
    this.posts.push(request);
    this.waitForConnection();
    if (request.isHeld?.() === false) throw new LeaseEndedError();
    this.sentHeaders = request.headers();
    if (this.reply instanceof Error) throw this.reply;
    return this.reply;
  }
}

function setUp(reply: WebhookReply | Error) {
  const client = new FakeClient(reply);
  const clock = new FakeClock();
  const secrets = { seal: (text: string) => text, open: (sealed: string) => `opened ${sealed}` };
  return { client, clock, service: new PostAttempt(client, secrets, { name: 'Acme' }, clock) };
}

describe('PostAttempt', () => {
  it('posts the body with signed headers and returns the response', async () => {
    const { client, service } = setUp({ statusCode: 204, retryAfter: null, headers: {}, body: '' });
    const result = await service.post(TARGET, ATTEMPT);
    expect(client.posts).toMatchObject([{ url: TARGET.url, lane: 'e', body: '{}' }]);
    expect(client.sentHeaders).toMatchObject({ 'X-Acme-Delivery': 't', 'X-Acme-Attempt': '2' });
    expect(client.sentHeaders).not.toHaveProperty('X-Acme-Signature-Previous');
    expect(result).toMatchObject({
      statusCode: 204,
      error: null,
      responseBody: '',
      requestHeaders: client.sentHeaders,
    });
  });

  it('signs with the previous secret too, until that expires', async () => {
    const { client, service } = setUp({ statusCode: 200, retryAfter: null, headers: {}, body: '' });
    await service.post({ ...TARGET, sealedPreviousSecret: 'old', previousSecretUntil: LATER }, ATTEMPT);
    expect(client.sentHeaders).toHaveProperty('X-Acme-Signature-Previous');
    await service.post({ ...TARGET, sealedPreviousSecret: 'old', previousSecretUntil: NOW }, ATTEMPT);
    expect(client.sentHeaders).not.toHaveProperty('X-Acme-Signature-Previous');
  });

  it('starts the attempt when a connection is free, not when it begins to wait for one', async () => {
    const { client, clock, service } = setUp({ statusCode: 200, retryAfter: null, headers: {}, body: '' });
    client.waitForConnection = () => {
      clock.time = LATER;
    };
    const { startedAt } = await service.post(TARGET, ATTEMPT);
    expect(startedAt).toEqual(LATER);
    expect(client.sentHeaders['X-Acme-Timestamp']).toBe(String(LATER.getTime() / 1_000));
  });

  it('describes a response that is no success, with what it requests', async () => {
    const { service } = setUp({
      statusCode: 429,
      retryAfter: '60',
      headers: { 'retry-after': '60' },
      body: 'slow down',
    });
    expect(await service.post(TARGET, ATTEMPT)).toMatchObject({
      statusCode: 429,
      retryAfter: '60',
      responseHeaders: { 'retry-after': '60' },
      responseBody: 'slow down',
      error: 'Answered 429',
    });
  });

  it('returns a result without status if there is no response', async () => {
    const { service } = setUp(new NoReplyError('Connection refused'));
    expect(await service.post(TARGET, ATTEMPT)).toMatchObject({
      statusCode: null,
      responseHeaders: null,
      responseBody: null,
      error: 'Connection refused',
    });
  });

  it('throws if the lease has ended before anything was posted', async () => {
    const { client, service } = setUp({ statusCode: 200, retryAfter: null, headers: {}, body: '' });
    const lease = new Lease(30_000, new ElapsedTime());
    client.waitForConnection = () => {
      lease.lose();
    };
    await expect(service.post({ ...TARGET, lease }, ATTEMPT)).rejects.toBeInstanceOf(LeaseEndedError);
  });

  it('throws internal errors', async () => {
    const { service } = setUp(new Error('out of memory'));
    await expect(service.post(TARGET, ATTEMPT)).rejects.toThrow('out of memory');
  });
});
