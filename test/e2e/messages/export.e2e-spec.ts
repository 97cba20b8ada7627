import { type IncomingMessage, request as httpRequest } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { insertMessages, type MessageRow } from '../../support/message-rows.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const PATH = '/api/messages/export.csv';

describe('GET /api/messages/export.csv', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const insert = (rows: readonly Partial<MessageRow>[], of = account) => insertMessages(service, of.id, rows);
  const rowsOf = (csv: string) => parse(csv, { columns: true }) as unknown as Record<string, string>[];
  const exported = async (query = '') => {
    const { text, headers } = await account.asMember('get', `${PATH}${query}`).expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="messages.csv"');
    return rowsOf(text);
  };
  const exportedWith = async (secret: string) => {
    const { text } = await service.request('get', PATH).set('X-API-Key', secret).expect(200);
    return rowsOf(text);
  };

  it('writes the messages of the account, newest first, and none of another account', async () => {
    await insert([{ recipient: 'eve@example.com' }], await service.createAccount());
    const { text } = await account.asMember('get', PATH).expect(200);
    expect(text).toBe(
      'id,createdAt,sentAt,scheduledAt,channel,status,to,role,from,fromName,subject,tags,opens,clicks,error,campaignId,apiKeyId,provider,providerMessageId,test,topicId\n',
    );
    await account.verifySender('shop@example.com');
    const { secret, id: keyId } = await account.createKey();
    const id = await sendEmail(service, secret, { subject: 'Zoë, "Ada"', text: 'Hello', tags: ['-b', 'a'] });
    const [newest] = await insert([
      { recipient: 'ada@example.org', opens: 2, createdAt: new Date(Date.now() + 60_000) },
    ]);
    const rows = await exported();
    expect(rows.map((row) => row.id)).toEqual([newest, id]);
    expect(rows[0]).toMatchObject({ to: 'ada@example.org', opens: '2', status: 'sent', apiKeyId: '', test: 'false' });
    expect(rows[1]).toMatchObject({ subject: 'Zoë, "Ada"', tags: "'-b;a", status: 'queued', apiKeyId: keyId });
    expect(rows[1]!.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('escapes formulas', async () => {
    const subjects = ['=1+1', '+1', '-1', '@x', '＝1+1', 'a;=1+1'];
    await insert(subjects.map((subject) => ({ subject })));
    const { text } = await account.asMember('get', PATH).expect(200);
    expect(text).not.toMatch(/(^|,|")[=+\-@\t\r＝]/m);
    expect(text).toContain('"a;=1+1"');
  });

  it('applies the filters of the list, and refuses what the list refuses', async () => {
    const march = new Date('2026-03-15T12:00:00Z');
    await insert([
      { recipient: 'ada@example.org', status: 'bounced', createdAt: march },
      { recipient: 'grace@example.org', createdAt: march },
      { recipient: 'lin@example.org' },
    ]);
    const recipients = async (query: string) => (await exported(query)).map(({ to }) => to);
    expect(await recipients('?status=bounced')).toEqual(['ada@example.org']);
    expect(await recipients('?search=GRACE')).toEqual(['grace@example.org']);
    expect(await recipients('?from=2026-03-15&to=2026-03-15&status=sent,bounced')).toHaveLength(2);
    for (const query of ['status=x', 'limit=5', 'cursor=x', 'from=x'])
      await account.asMember('get', `${PATH}?${query}`).expect(400);
  });

  it('shows a key its own messages, without the hosts of relays', async () => {
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: 'relay.example.com', port: 587 } })
      .expect(200);
    const [own, other] = [await account.createKey({ scopes: ['read_events'] }), await account.createKey()];
    const ids = await insert([{ apiKeyId: own.id, status: 'failed' }, { apiKeyId: other.id }, { apiKeyId: null }]);
    await service.query(`UPDATE message_logs SET error = 'relay.example.com says no' WHERE id = $1`, [ids[0]]);
    expect(await exportedWith(own.secret)).toMatchObject([{ id: ids[0], error: '[relay] says no' }]);
    const { secret } = await account.createKey({ scopes: ['send'] });
    await service
      .request('get', PATH)
      .set('X-API-Key', secret)
      .expect(403, errorBody(403, 'API key is missing required scope: read_events'));
    await service.request('get', PATH).expect(401);
  });

  it('writes each of many messages once', async () => {
    await insert(Array.from({ length: 1_700 }, () => ({})));
    const ids = (await exported()).map(({ id }) => id);
    expect(ids).toHaveLength(1_700);
    expect(new Set(ids).size).toBe(1_700);
    expect([...ids].sort().reverse()).toEqual(ids);
  });

  it('reads no more rows than the client receives, and none after it has disconnected', async () => {
    await insert(Array.from({ length: 30_000 }, () => ({ subject: 'x'.repeat(300) })));
    const { pool } = service.database;
    const reads = jest.spyOn(service.database, 'read');
    try {
      const call = httpRequest(`${service.url}${PATH}`, {
        headers: { Authorization: `Bearer ${account.memberToken}` },
      });
      call.on('error', () => undefined); // the test ends it
      const response = await new Promise<IncomingMessage>((resolve) => call.on('response', resolve).end());
      response.on('error', () => undefined).pause();
      // The buffers of the connection and the streams are full now.
      await waitFor('the first batches', () => reads.mock.calls.length > 0);
      await waitFor('the database to be left alone', () => pool.idleCount === pool.totalCount);
      call.destroy();
      await waitFor('the end of the call', () => response.destroyed);
      expect(reads.mock.calls.length).toBeLessThan(50);
    } finally {
      reads.mockRestore();
    }
  });
});
