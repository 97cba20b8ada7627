import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MESSAGE_STATUSES } from '../../../src/modules/messages/domain/message-log.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { type Ask, asKey, asUser, ids, pages, type Query, subjects } from '../../support/message-queries.js';
import { insertMessages, type MessageRow } from '../../support/message-rows.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';
const NOON = new Date('2026-03-15T12:00:00Z');
const ID_LENGTH = 25;

describe('GET /api/messages', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const insert = (rows: Partial<MessageRow>[], of = account) => insertMessages(service, of.id, rows);
  const alike = (count: number, row: Partial<MessageRow> = {}) => Array.from({ length: count }, () => row);
  const minutesAfter = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000);
  const newestFirst = (ids: string[]) => [...ids].sort().reverse();

  async function firstCursor(ask: Ask, query: Query = {}): Promise<string> {
    const { body } = await ask({ limit: '1', ...query }).expect(200);
    expect(body.nextCursor).toEqual(expect.stringMatching(/^[\w-]+$/));
    return body.nextCursor as string;
  }

  describe('the list', () => {
    it('shows the fields of a single message except its timeline and attachments', async () => {
      await account.verifySender(SENDER);
      const { secret } = await account.createKey();
      const id = await sendEmail(service, secret, { to: 'Ada@example.org', fromName: 'Shop', text: 'Thank you' });
      const { body: message } = await service
        .request('get', `/api/messages/${id}`)
        .set('X-API-Key', secret)
        .expect(200);
      const { events, attachments, ...item } = message;
      expect([events, attachments]).toEqual([[], []]);
      const { headers } = await asKey(service, secret)().expect(200, { items: [item], nextCursor: null });
      expect(headers['cache-control']).toBe('no-store');
      await asUser(account)().expect(200, { items: [{ ...item, campaign: null }], nextCursor: null });
    });

    it('is empty if nothing was sent', async () => {
      for (const query of [{}, { search: 'ada' }, { search: 'a' }, { status: 'sending' }])
        await asUser(account)(query).expect(200, { items: [], nextCursor: null });
    });

    it('is ordered newest first, with 25 messages a page by default and 100 at most', async () => {
      const inserted = await insert([
        ...alike(75, { createdAt: NOON }),
        ...alike(75, { createdAt: minutesAfter(NOON, 1) }),
      ]);
      const read = await pages(asUser(account), {});
      expect(read.map((page) => page.length)).toEqual([25, 25, 25, 25, 25, 25]);
      expect(read.flat().map(({ id }) => id)).toEqual(newestFirst(inserted));
      expect(await ids(asUser(account), { limit: '100' })).toEqual(newestFirst(inserted).slice(0, 100));
      expect(await ids(asUser(account), { limit: '1' })).toEqual(newestFirst(inserted).slice(0, 1));
    });
  });

  describe('the cursor', () => {
    it('neither repeats nor skips a message while new ones arrive and all change', async () => {
      const inserted = await insert(alike(60, { status: 'queued', createdAt: NOON }));
      const read = await pages(asUser(account), { limit: '7' }, async () => {
        await insert(alike(3, { createdAt: minutesAfter(NOON, 1) }));
        await service.query(
          `UPDATE message_logs SET opens = opens + 1, status = CASE status WHEN 'queued' THEN 'sent' ELSE 'delivered' END
           WHERE account_id = $1`,
          [account.id],
        );
      });
      expect(read.flat().map(({ id }) => id)).toEqual(newestFirst(inserted));
    });

    it('continues after a message that no longer matches', async () => {
      const inserted = newestFirst(await insert(alike(10, { createdAt: NOON })));
      for (const query of [{ status: 'sent' }, { status: 'sent', search: 'hello' }]) {
        const read = await pages(asUser(account), { ...query, limit: '5' }, (page) =>
          service.query(`UPDATE message_logs SET status = 'delivered' WHERE id = ANY($1)`, [page.map(({ id }) => id)]),
        );
        expect(read.flat().map(({ id }) => id)).toEqual(inserted);
        await service.query(`UPDATE message_logs SET status = 'sent' WHERE account_id = $1`, [account.id]);
      }
    });

    it('accepts another limit and another spelling of the same filters', async () => {
      const inserted = newestFirst(await insert(alike(5, { createdAt: NOON })));
      const cursor = await firstCursor(asUser(account), {
        status: 'sent,failed',
        from: '2026-03-15',
        to: '2026-03-15',
      });
      const query = {
        status: ['failed', 'sent', 'sent'],
        from: '2026-03-15T00:00:00Z',
        to: '2026-03-16T02:00:00+02:00',
      };
      expect(await ids(asUser(account), { ...query, limit: '3', cursor })).toEqual(inserted.slice(1, 4));
    });

    it('is refused with other filters, for another caller and in another account', async () => {
      const key = await account.createKey();
      const otherKey = await account.createKey();
      const stranger = await service.createAccount();
      await insert(alike(3, { apiKeyId: key.id, createdAt: NOON }));
      const refusal = badRequest('cursor belongs to a list with other filters');
      const ask = asKey(service, key.secret);
      const cursor = await firstCursor(ask);
      await ask({ cursor }).expect(200);
      for (const other of [asKey(service, otherKey.secret), asUser(account), asUser(stranger)])
        await other({ cursor }).expect(400, refusal);
      await ask({ cursor: await firstCursor(asUser(account)) }).expect(400, refusal);
      const filters: Query[] = [
        { status: 'sent' },
        { status: 'sent,failed' },
        { search: 'ada' },
        { search: 'ADA' },
        { search: 'o' },
        { from: '2026-03-01' },
        { to: '2026-03-01' },
        { to: '2026-03-31' },
      ];
      for (const filter of filters) await ask({ ...filter, cursor }).expect(400, refusal);
      const filtered = await firstCursor(ask, { status: 'sent', search: 'ada', to: '2026-03-31' });
      await ask({ status: 'sent', search: 'ada', cursor: filtered }).expect(400, refusal);
      await ask({ cursor: filtered }).expect(400, refusal);
    });

    it('is refused when truncated, extended or invented', async () => {
      const ids = await insert(alike(3, { createdAt: NOON }));
      const ask = asUser(account);
      const cursor = await firstCursor(ask);
      const fingerprint = Buffer.from(cursor, 'base64url').subarray(ID_LENGTH).toString();
      const madeUp = [ids[0]!, fingerprint, ids[0]! + 'A'.repeat(fingerprint.length)].map((text) =>
        Buffer.from(text).toString('base64url'),
      );
      const changed = [' ', '=', '.', 'A', 'AAAA', cursor].map((more) => cursor + more);
      const garbage = [cursor.slice(0, -1), cursor.slice(1), cursor.toUpperCase(), ids[0]!, 'null', '0', "'; --", 'é'];
      for (const bad of [...madeUp, ...changed, ...garbage]) {
        const { body } = await ask({ cursor: bad }).expect(400);
        expect(body.message).toMatch(/^cursor (must be|belongs to)/);
      }
    });

    it('is refused when any character in it was changed', async () => {
      await insert(alike(3, { createdAt: NOON }));
      const text = Buffer.from(await firstCursor(asUser(account)), 'base64url').toString();
      const accepted: string[] = [];
      for (const [i, character] of [...text].entries()) {
        const changed = text.slice(0, i) + (character === '0' ? '1' : '0') + text.slice(i + 1);
        const cursor = Buffer.from(changed).toString('base64url');
        if ((await asUser(account)({ cursor })).status !== 400) accepted.push(changed);
      }
      expect(accepted).toEqual([]);
    });
  });

  describe('the caller', () => {
    it('sees the messages of the key, or of the account with a session', async () => {
      const [key, otherKey] = [await account.createKey(), await account.createKey()];
      const stranger = await service.createAccount();
      await insert([
        { subject: 'key', apiKeyId: key.id },
        { subject: 'other key', apiKeyId: otherKey.id },
        { subject: 'dashboard' },
      ]);
      await insert([{ subject: 'stranger' }, { subject: 'mix-up', apiKeyId: key.id }], stranger);
      for (const query of [{}, { status: 'sent' }, { search: 'ada' }, { search: '@' }, { from: '2026-01-01' }]) {
        expect(await subjects(asKey(service, key.secret), query)).toEqual(['key']);
        expect(await subjects(asKey(service, otherKey.secret), query)).toEqual(['other key']);
        expect(await subjects(asUser(account), query)).toEqual(['dashboard', 'key', 'other key']);
        expect(await subjects(asUser(stranger), query)).toEqual(['mix-up', 'stranger']);
      }
      expect(
        await subjects((query) =>
          asKey(service, key.secret)(query).set('Authorization', `Bearer ${account.adminToken}`),
        ),
      ).toEqual(['key']);
    });

    it('needs the scope read_events or a session', async () => {
      const { secret } = await account.createKey({ scopes: ['send', 'contacts:read', 'contacts:write', 'sms:send'] });
      await asKey(service, secret)().expect(403, errorBody(403, 'API key is missing required scope: read_events'));
      await account.asAdmin('get', '/api/messages').expect(200);
      await service.request('get', '/api/messages').expect(401, errorBody(401, 'Missing API key'));
      await asKey(service, 'sk_unknown')().expect(401, errorBody(401, 'Invalid API key'));
      await service.request('get', '/api/messages', 'nonsense').expect(401, errorBody(401, 'Invalid session'));
    });
  });

  describe('bad input', () => {
    const status = `status must be one or several of ${MESSAGE_STATUSES.join(', ')}`;
    const time = (name: string) => `${name} must be an ISO 8601 date or date-time`;

    it.each([
      ['limit=0', 'limit must not be less than 1'],
      ['limit=-1', 'limit must not be less than 1'],
      ['limit=', 'limit must be an integer number'],
      ['limit=101', 'limit must not be greater than 100'],
      ['limit=1.5', 'limit must be an integer number'],
      ['limit=abc', 'limit must be an integer number'],
      ['limit=1e1', 'limit must be an integer number'],
      ['limit=1&limit=2', /^limit must /],
      ['status=lost', status],
      ['status=', status],
      ['status=SENT', status],
      ['status=sent,', status],
      ['status=sent,lost', status],
      ['status=sent&status=lost', status],
      ['from=yesterday', time('from')],
      ['from=', time('from')],
      ['from=2026-02-29', time('from')],
      ['from=2026-3-1', time('from')],
      ['from=1772323200000', time('from')],
      ['from=2026-03-01&from=2026-03-02', time('from')],
      ['to=2026-13-01', time('to')],
      ['to=2026-03-01T25:00:00Z', time('to')],
      ['to=2026-03-01T10:00:00.Z', time('to')],
      ['to=2026-03-01%2010:00:00', time('to')],
      ['to=%00', time('to')],
      ['from=2026-03-02&to=2026-03-01', 'from must not be after to'],
      ['from=2026-03-02T00:00:00Z&to=2026-03-01', 'from must not be after to'],
      ['from=2026-03-02T00:00:00.001Z&to=2026-03-02T00:00:00Z', 'from must not be after to'],
      ['from=2026-03-02T01:00:00%2B01:00&to=2026-03-02T00:59:59%2B01:00', 'from must not be after to'],
      ['search=', 'search must be longer than or equal to 1 characters'],
      ['search=a&search=b', /^search must /],
      ['search=%00', 'search must not hold line breaks or control characters'],
      ['search=org%0Ashop', 'search must not hold line breaks or control characters'],
      ['cursor=', 'cursor must be longer than or equal to 1 characters'],
      ['cursor=nonsense', 'cursor must be the nextCursor of an earlier page'],
      ['cursor=a&cursor=b', /^cursor must /],
      ['page=2', 'page is not a known field'],
      ['Limit=2', 'Limit is not a known field'],
      ['status[]=sent', 'status[] is not a known field'],
      ['subject=x&campaignId=y', 'subject is not a known field; campaignId is not a known field'],
    ])('is refused by name: %s', async (query, message) => {
      const { body } = await account.asMember('get', `/api/messages?${query}`).expect(400);
      expect(body).toEqual(
        badRequest((message instanceof RegExp ? expect.stringMatching(message) : message) as string),
      );
    });

    it('is refused if it is too long', async () => {
      await asUser(account)({ search: 'ä'.repeat(200) }).expect(200);
      for (const name of ['search', 'cursor'])
        for (const length of [201, 7_000])
          await asUser(account)({ [name]: 'x'.repeat(length) }).expect(
            400,
            badRequest(`${name} must be shorter than or equal to 200 characters`),
          );
    });

    it('is refused with all faults at once', async () => {
      const { body } = await asUser(account)({ limit: '0', status: 'lost', from: 'x', to: 'y', search: '', page: '1' });
      expect(
        body.message
          .split('; ')
          .map((fault: string) => fault.split(' ')[0])
          .sort(),
      ).toEqual(['from', 'limit', 'page', 'search', 'status', 'to']);
    });
  });
});
