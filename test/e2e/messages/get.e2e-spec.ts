import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('GET /api/messages/:id', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  let id: string;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
    id = await sendEmail(service, key.secret, { to: 'Ada@example.org', subject: 'Your order', text: 'Thank you' });
  });
  afterAll(() => service.stop());

  const notFound = errorBody(404, 'Message not found');
  const asKey = (secret: string, messageId = id) =>
    service.request('get', `/api/messages/${messageId}`).set('X-API-Key', secret);

  it('shows the beginning of a timeline that has no end', async () => {
    const endless = await sendEmail(service, key.secret, { text: 'Thank you' });
    const report = (count: number, data: object) =>
      service.query(
        `INSERT INTO email_events (message_id, id, type, occurred_at, data)
         SELECT $1, 'c' || $2 || lpad(n::text, 6, '0'), 'delayed', timestamptz '2026-01-01' + n * interval '1 second', $3
         FROM generate_series(1, $4::integer) n`,
        [endless, count, data, count],
      );
    const shown = async () => (await asKey(key.secret, endless).expect(200)).body.events as { id: string }[];
    await report(3_000, {});
    expect((await shown()).map(({ id }) => id.slice(5))).toEqual(
      Array.from({ length: 2_500 }, (_, n) => String(n + 1).padStart(6, '0')),
    );
    await service.query('DELETE FROM email_events WHERE message_id = $1', [endless]);
    await report(400, { smtpResponse: 'x'.repeat(9_980) });
    expect((await shown()).length).toBe(200);
  });

  it('shows every field and the timeline in order to the key that sent it', async () => {
    await service.query(
      `INSERT INTO email_events (message_id, id, type, occurred_at, recipient, data) VALUES
       ($1, 'c2', 'delivered', '2026-01-02T00:00:00Z', 'ada@example.org', '{"smtpResponse":"250 ok"}'),
       ($1, 'c1', 'sent', '2026-01-01T00:00:00Z', NULL, '{}')`,
      [id],
    );
    const { body, headers } = await asKey(key.secret).expect(200);
    expect(body).toEqual({
      id,
      test: false,
      channel: 'email',
      status: 'queued',
      to: 'Ada@example.org',
      from: SENDER,
      fromName: null,
      replyTo: null,
      subject: 'Your order',
      templateId: null,
      providerMessageId: null,
      provider: null,
      apiKeyId: key.id,
      contactId: null,
      campaignId: null,
      topicId: null,
      segments: null,
      encoding: null,
      opens: 0,
      clicks: 0,
      error: null,
      createdAt: expect.stringMatching(/Z$/),
      sentAt: null,
      scheduledAt: null,
      resentFrom: null,
      role: 'to',
      groupId: null,
      tags: [],
      metadata: {},
      attachments: [],
      events: [
        { id: 'c1', messageLogId: id, type: 'sent', occurredAt: '2026-01-01T00:00:00.000Z', recipient: null, data: {} },
        {
          id: 'c2',
          messageLogId: id,
          type: 'delivered',
          occurredAt: '2026-01-02T00:00:00.000Z',
          recipient: 'ada@example.org',
          data: { smtpResponse: '250 ok' },
        },
      ],
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('shows it to every user of the account', async () => {
    const { body } = await account.asMember('get', `/api/messages/${id}`).expect(200);
    expect(body).toMatchObject({ id, apiKeyId: key.id, contact: null, campaign: null });
  });

  it('is not found by another key, another account or a malformed id', async () => {
    const otherKey = await account.createKey();
    const stranger = await service.createAccount({ name: 'Other' });
    const strangerKey = await stranger.createKey();
    await asKey(otherKey.secret).expect(404, notFound);
    await asKey(strangerKey.secret).expect(404, notFound);
    await stranger.asAdmin('get', `/api/messages/${id}`).expect(404, notFound);
    await asKey(key.secret, 'c000000000000000000000000').expect(404, notFound);
    await asKey(key.secret, 'nonsense').expect(404, notFound);
  });

  it('hides relay addresses from keys, also on the timeline and in the list, and shows them to users', async () => {
    const smtp = { host: 'relay.internal.example', port: 25, username: null, password: null };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    const failed = await sendEmail(service, key.secret, { to: 'eve@example.org', subject: 'Hello', text: 'Hello' });
    const error = 'connect ECONNREFUSED 10.1.2.3:2525 of Relay.internal.example';
    const data = { smtpResponse: '450 [10.1.2.3:25] busy', diagnosticCode: 'smtp; relay.internal.example' };
    await service.query('UPDATE message_logs SET error = $2 WHERE id = $1', [failed, error]);
    await service.query(
      `INSERT INTO email_events (message_id, id, type, occurred_at, data) VALUES
       ($1, 'c1', 'delayed', '2026-01-01T00:00:00Z', $2), ($1, 'c2', 'opened', '2026-01-02T00:00:00Z', '{"ip":"192.0.2.1"}')`,
      [failed, data],
    );
    const { body: list } = await service.request('get', '/api/messages').set('X-API-Key', key.secret).expect(200);
    const { body: shown } = await asKey(key.secret, failed).expect(200);
    for (const message of [shown, (list.items as { id: string }[]).find((item) => item.id === failed)])
      expect(message).toMatchObject({ error: 'connect ECONNREFUSED [relay] of [relay]' });
    expect((shown.events as { data: object }[]).map((event) => event.data)).toEqual([
      { smtpResponse: '450 [[relay]] busy', diagnosticCode: 'smtp; [relay]' },
      { ip: '192.0.2.1' },
    ]);
    const { body: toUser } = await account.asMember('get', `/api/messages/${failed}`).expect(200);
    expect(toUser).toMatchObject({ error, events: [{ data }, { data: { ip: '192.0.2.1' } }] });
  });

  it('requires the scope read_events', async () => {
    const { secret } = await account.createKey({ scopes: ['send'] });
    await asKey(secret).expect(403, errorBody(403, 'API key is missing required scope: read_events'));
  });

  it('shows a consistent status and timeline while they change', async () => {
    const changing = await sendEmail(service, key.secret, { to: 'bob@example.org', subject: 'Hello', text: 'Hello' });
    let isOver = false;
    const change = async () => {
      for (let i = 0; i < 100; i++) {
        await service.query(
          `WITH inserted AS (INSERT INTO email_events (message_id, id, type, occurred_at, data) VALUES ($1, 'c1', 'sent', now(), '{}'))
           UPDATE message_logs SET status = 'sent' WHERE id = $1`,
          [changing],
        );
        await service.query(
          `WITH deleted AS (DELETE FROM email_events WHERE message_id = $1)
           UPDATE message_logs SET status = 'queued' WHERE id = $1`,
          [changing],
        );
      }
      isOver = true;
    };
    const read = async () => {
      const seen: unknown[] = [];
      while (!isOver) {
        const { body } = await asKey(key.secret, changing).expect(200);
        seen.push([body.status, (body.events as { type: string }[]).map(({ type }) => type)]);
      }
      return seen;
    };
    const [seen] = await Promise.all([read(), change()]);
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(new Set(['["queued",[]]', '["sent",["sent"]]']));
  });
});
