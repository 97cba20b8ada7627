import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { EVENT_TYPES, type EventType } from '../../../src/shared/event-types.js';
import type { TestAccount } from '../../support/account.js';
import { budget, FUZZ_SEED } from '../../support/budget.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { EventWriter, FeedReader, recordEvents } from '../../support/event-feed.js';
import { insertMessages, type MessageRow } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const RUNS = budget({ quick: 15, soak: 200 });
const EVENTS = budget({ quick: 150, soak: 2_000 });
const WRITERS = 8;

describe('GET /api/messages/events', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const insert = async (row: Partial<MessageRow> = {}, of = account) =>
    (await insertMessages(service, of.id, [row]))[0]!;
  const record = (messageId: string, ...types: EventType[]) =>
    recordEvents(
      service,
      account.id,
      messageId,
      types.map((type) => ({ type })),
    );
  /** Records it, and waits until the feed shows it: a transaction in any database of the server holds it back. */
  const recordVisibly = async (messageId: string, type: EventType) => {
    const reader = await FeedReader.open(service, account);
    await record(messageId, type);
    await waitFor('the event', async () => (await reader.next()).some((event) => event.type === type));
  };

  describe('returns', () => {
    it('nothing without `after`, then each event as on the timeline of its message', async () => {
      const message = await insert();
      await recordVisibly(message, 'delivered');
      const reader = await FeedReader.open(service, account);
      expect(await reader.next()).toEqual([]);
      const data = { bounceType: 'soft', diagnosticCode: '452 4.2.2 full' };
      await recordEvents(service, account.id, message, [{ type: 'bounced', recipient: 'ada@example.org', data }]);
      const [event, ...others] = await reader.until(1);
      expect(others).toEqual([]);
      const { body } = await account.asMember('get', `/api/messages/${message}`).expect(200);
      expect(event).toEqual({ ...body.events[1], cursor: reader.position });
      expect(event).toMatchObject({ messageLogId: message, type: 'bounced', data });
    });

    it('what follows any event, by its cursor', async () => {
      const message = await insert();
      const reader = await FeedReader.open(service, account);
      await record(message, 'delivered', 'delayed', 'complained');
      await record(message, 'bounced');
      const ids = (await reader.until(4)).map(({ id }) => id);
      for (const [i, { cursor }] of reader.seen.entries())
        expect((await reader.page({ after: cursor })).items.map(({ id }) => id)).toEqual(ids.slice(i + 1));
      expect((await reader.page({ after: reader.seen[0]!.cursor, limit: 2 })).items).toHaveLength(2);
    });

    it('the same position as long as nothing happens', async () => {
      await recordVisibly(await insert(), 'delivered');
      const reader = await FeedReader.open(service, account);
      const before = reader.position;
      const stranger = await service.createAccount();
      await recordEvents(service, stranger.id, await insert({}, stranger), [{ type: 'delivered' }]);
      await reader.next();
      expect(reader.position).toBe(before);
    });

    it('only the wanted types, and gets on while it finds none', async () => {
      const message = await insert();
      const reader = await FeedReader.open(service, account, { types: 'bounced,complained' });
      for (let i = 0; i < 3; i++) await record(message, ...Array.from({ length: 250 }, () => 'delayed' as const));
      await recordVisibly(message, 'complained');
      const pages: number[] = [];
      await waitFor('the complaint', async () => {
        const before = reader.position;
        const items = await reader.next();
        if (items.length > 0 || reader.position !== before) pages.push(items.length);
        return items.length > 0;
      });
      expect(pages).toEqual([0, 1]);
      expect(reader.seen).toMatchObject([{ type: 'complained' }]);
    });

    it('no `sent` event of the provider that repeats the one of the service', async () => {
      const message = await insert();
      await service.query(`UPDATE message_logs SET sent_at = '2026-03-01T12:00:00Z' WHERE id = $1`, [message]);
      const reader = await FeedReader.open(service, account);
      await recordEvents(service, account.id, message, [
        { type: 'sent', occurredAt: new Date('2026-03-01T12:00:00.123Z') },
        { type: 'sent', occurredAt: new Date('2026-03-01T12:00:00Z') },
        { type: 'delivered' },
      ]);
      expect((await reader.until(2)).map(({ type }) => type).sort()).toEqual(['delivered', 'sent']);
    });
  });

  describe('shows', () => {
    it('a key the events of its messages, and a session those of the account', async () => {
      const [key, other] = [await account.createKey(), await account.createKey()];
      const readers = {
        session: await FeedReader.open(service, account),
        key: await FeedReader.open(service, account, { secret: key.secret }),
        other: await FeedReader.open(service, account, { secret: other.secret }),
        stranger: await FeedReader.open(service, await service.createAccount()),
      };
      const [ofKey, ofOther, ofNobody] = [
        await insert({ apiKeyId: key.id }),
        await insert({ apiKeyId: other.id }),
        await insert(),
      ];
      for (const message of [ofKey, ofOther, ofNobody]) await record(message, 'delivered');
      const messagesOf = async (reader: FeedReader, count: number) =>
        (await reader.until(count)).map(({ messageLogId }) => messageLogId);
      expect(await messagesOf(readers.session, 3)).toEqual([ofKey, ofOther, ofNobody]);
      expect(await messagesOf(readers.key, 1)).toEqual([ofKey]);
      expect(await messagesOf(readers.other, 1)).toEqual([ofOther]);
      expect(await messagesOf(readers.stranger, 0)).toEqual([]);
      const { nextCursor } = await readers.session.page();
      expect((await readers.stranger.page({ after: nextCursor })).items).toEqual([]);
    });

    it('test messages to their key, and to sessions with `test=true`', async () => {
      const key = await account.createKey({ mode: 'test' });
      await account.verifySender('shop@example.com');
      const { body } = await service
        .request('post', '/api/send/transactional')
        .set('X-API-Key', key.secret)
        .send({ to: 'ada@simulator.test', fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' })
        .expect(201);
      const live = await FeedReader.open(service, account);
      const test = await FeedReader.open(service, account, { test: 'true' });
      const ofKey = await FeedReader.open(service, account, { secret: key.secret });
      await service
        .request('post', `/api/messages/${body.messageLogId}/cancel`)
        .set('X-API-Key', key.secret)
        .expect(200);
      for (const reader of [test, ofKey])
        expect(await reader.until(1)).toMatchObject([{ type: 'canceled', messageLogId: body.messageLogId }]);
      expect(await live.next()).toEqual([]);
    });

    it('keys no host of the relay', async () => {
      await account
        .asAdmin('patch', '/api/settings')
        .send({ smtp: { host: 'relay.internal', port: 25 } })
        .expect(200);
      const key = await account.createKey();
      const [session, reader] = [
        await FeedReader.open(service, account),
        await FeedReader.open(service, account, { secret: key.secret }),
      ];
      const message = await insert({ apiKeyId: key.id });
      const data = { smtpResponse: '550 relay.internal [10.0.0.7] says no' };
      await recordEvents(service, account.id, message, [{ type: 'failed', data }]);
      expect(await session.until(1)).toMatchObject([{ data }]);
      expect(await reader.until(1)).toMatchObject([{ data: { smtpResponse: '550 [relay] [[relay]] says no' } }]);
    });
  });

  describe('skips nothing and repeats nothing', () => {
    it('while a transaction that began earlier has not ended', async () => {
      const [early, late] = [await insert(), await insert()];
      const reader = await FeedReader.open(service, account);
      const before = reader.position;
      const first = await EventWriter.begin(service);
      await first.record(account.id, early);
      await record(late, 'delivered');
      const { body } = await account.asMember('get', `/api/messages/${late}`).expect(200);
      expect(body.events).toHaveLength(1);
      expect(await reader.next()).toEqual([]);
      expect(reader.position).toBe(before);
      await first.commit();
      expect((await reader.until(2)).map(({ messageLogId }) => messageLogId)).toEqual([early, late]);
    });

    it('when a transaction records its event after a later one has ended', async () => {
      const [early, late] = [await insert(), await insert()];
      const reader = await FeedReader.open(service, account);
      const first = await EventWriter.begin(service);
      await first.takeTransactionId();
      await record(late, 'delivered');
      expect(await reader.next()).toEqual([]);
      await first.record(account.id, early);
      expect(await reader.next()).toEqual([]);
      await first.commit();
      expect((await reader.until(2)).map(({ messageLogId }) => messageLogId)).toEqual([early, late]);
    });

    it('when a transaction fails, or its connection is lost', async () => {
      const messages = [await insert(), await insert(), await insert()];
      const reader = await FeedReader.open(service, account);
      const [failed, lost] = [await EventWriter.begin(service), await EventWriter.begin(service)];
      await failed.record(account.id, messages[0]!);
      await lost.record(account.id, messages[1]!);
      await record(messages[2]!, 'delivered');
      expect(await reader.next()).toEqual([]);
      await failed.rollBack();
      await service.query('SELECT pg_terminate_backend($1)', [await lost.processId()]);
      expect(await reader.until(1)).toMatchObject([{ messageLogId: messages[2] }]);
    });

    it(`in any order of beginnings, events, commits and reads (seed ${FUZZ_SEED})`, async () => {
      const step = fc.record({
        writer: fc.integer({ min: 0, max: 3 }),
        action: fc.constantFrom('record', 'record', 'record', 'commit', 'commit', 'rollBack', 'read'),
        limit: fc.integer({ min: 1, max: 3 }),
      });
      const messages = await Promise.all(Array.from({ length: 4 }, () => insert()));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          const reader = await FeedReader.open(service, account);
          const open = new Map<number, { transaction: EventWriter; ids: string[] }>();
          const committed: string[] = [];
          const end = async (writer: number, action: 'commit' | 'rollBack') => {
            const ended = open.get(writer);
            open.delete(writer);
            await ended?.transaction[action]();
            if (action === 'commit') committed.push(...(ended?.ids ?? []));
          };
          for (const { writer, action, limit } of steps) {
            if (action === 'read') await reader.next({ limit });
            else if (action !== 'record') await end(writer, action);
            else {
              const own = open.get(writer) ?? { transaction: await EventWriter.begin(service), ids: [] };
              open.set(writer, own);
              // Each writer has a message of its own: they do not wait for each other.
              own.ids.push(await own.transaction.record(account.id, messages[writer]!));
            }
          }
          for (const writer of [...open.keys()]) await end(writer, 'commit');
          await reader.until(committed.length, { limit: 3 });
          expect(reader.seen.map(({ id }) => id).sort()).toEqual(committed.sort());
        }),
        { numRuns: RUNS, seed: FUZZ_SEED },
      );
    });

    it('for readers that page while writers write', async () => {
      const messages = await Promise.all(Array.from({ length: WRITERS }, () => insert()));
      const readers = await Promise.all([1, 7, 100].map((limit) => FeedReader.open(service, account, { limit })));
      const writing = messages.map(async (message) => {
        for (let i = 0; i < EVENTS / WRITERS; i++) await record(message, 'delayed', 'delivered');
      });
      const written = messages.length * Math.ceil(EVENTS / WRITERS) * 2;
      await Promise.all([...writing, ...readers.map((reader) => reader.until(written, { wait: 1 }))]);
      const stored = await service.query<{ id: string }>(
        'SELECT id FROM email_events WHERE message_id = ANY ($1) ORDER BY position, id',
        [messages],
      );
      expect(stored).toHaveLength(written);
      for (const { seen } of readers) expect(seen.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    });
  });

  describe('refuses', () => {
    const refused = async (query: Record<string, string>, message: string | RegExp) => {
      const { body } = await account.asMember('get', '/api/messages/events').query(query).expect(400);
      expect(body).toEqual(badRequest(expect.stringMatching(message) as never));
    };
    const CURSOR = 'after must be the nextCursor of an earlier response';

    it('what is no cursor', async () => {
      for (const after of ['x', 'cmwpyz0qqn4or9gpou18rqxtn', 'Y213', Buffer.from('1').toString('base64url')])
        await refused({ after }, CURSOR);
      const { nextCursor } = await (await FeedReader.open(service, account)).page();
      await refused({ after: `${nextCursor}=` }, CURSOR);
      await refused({ after: '' }, 'after must be longer than or equal to 1 characters');
    });

    it('a limit, a wait and types that there are not', async () => {
      for (const limit of ['0', '101', '1e1', 'x', '']) await refused({ limit }, /^limit /);
      for (const wait of ['-1', '31', '0.5', 'x', '']) await refused({ wait }, /^wait /);
      for (const types of ['read', 'sent,', 'SENT', ''])
        await refused({ types }, `types must be one or several of ${EVENT_TYPES.join(', ')}`);
      await refused({ test: 'false' }, 'test must be true');
      await refused({ status: 'sent' }, /status/);
    });

    it('callers without access', async () => {
      const path = '/api/messages/events';
      await service.request('get', path).expect(401);
      const { secret } = await account.createKey({ scopes: ['send'] });
      await service
        .request('get', path)
        .set('X-API-Key', secret)
        .expect(403, errorBody(403, 'API key is missing required scope: read_events'));
    });
  });
});
