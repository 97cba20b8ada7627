import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { MESSAGE_STATUSES } from '../../../src/modules/messages/domain/message-log.js';
import type { TestAccount } from '../../support/account.js';
import { asKey, asUser, ids, items, pages, type Query, subjects } from '../../support/message-queries.js';
import { insertMessages, type MessageRow } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';

/** Messages that a search reads before it uses the index. */
const READ_FIRST = 2_000;
const READ_WITHOUT_INDEX = 20_000;

const FIRST_OF_MARCH = new Date('2026-03-01T00:00:00Z');
/** Newer messages that few searches match. */
const FILLER = { recipient: 'z@z', sender: 'z@z', subject: 'zzz', createdAt: new Date('2026-03-20T00:00:00Z') };

describe('GET /api/messages with filters', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const insert = (rows: Partial<MessageRow>[], of = account) => insertMessages(service, of.id, rows);
  const alike = (count: number, row: Partial<MessageRow> = {}) => Array.from({ length: count }, () => row);
  const rollUp = () => service.app.get(RollUpMessages, { strict: false }).rollUp();

  describe('status', () => {
    it('selects one or several, and distinguishes leased messages from waiting ones', async () => {
      await insert(MESSAGE_STATUSES.flatMap((status) => alike(2, { status, subject: status })));
      const statuses = async (query: Query) => (await items(asUser(account), query)).map(({ status }) => status).sort();
      const twice = (...names: string[]) => names.flatMap((name) => [name, name]);
      for (const status of MESSAGE_STATUSES) expect(await statuses({ status })).toEqual(twice(status));
      for (const [status, expected] of [
        ['sending,queued', twice('queued', 'sending')],
        [['bounced', 'sent', 'failed'], twice('bounced', 'failed', 'sent')],
        ['sent,sent', twice('sent')],
        [MESSAGE_STATUSES.join(','), twice(...MESSAGE_STATUSES).sort()],
      ] as const) {
        expect(await statuses({ status: [status].flat() })).toEqual(expected);
        expect(await statuses({ status: [status].flat(), search: 'hop@' })).toEqual(expected);
        expect((await pages(asUser(account), { status: [status].flat(), limit: '3' })).flat()).toHaveLength(
          expected.length,
        );
      }
      expect(await subjects(asUser(account), {})).toEqual(twice(...MESSAGE_STATUSES).sort());
    });

    it('follows a delivery from queued to sending, back, and to its final status', async () => {
      account = await service.createAccount();
      const [id] = (await insert([{ status: 'queued' }])) as [string];
      const leases = (until: string | null) =>
        service.query('UPDATE pending_deliveries SET lease_ends_at = $2 WHERE message_id = $1', [id, until]);
      const isOnly = async (status: string) => {
        for (const one of MESSAGE_STATUSES)
          expect(await ids(asUser(account), { status: one })).toEqual(one === status ? [id] : []);
        const { body } = await account.asMember('get', `/api/messages/${id}`).expect(200);
        expect([body.status, (await items(asUser(account)))[0]?.status]).toEqual([status, status]);
      };
      await isOnly('queued');
      await leases('2026-03-15T12:00:00Z');
      await isOnly('sending');
      await leases(null);
      await isOnly('queued');
      await service.query('DELETE FROM pending_deliveries WHERE message_id = $1', [id]);
      await service.query(`UPDATE message_logs SET status = 'delivered' WHERE id = $1`, [id]);
      await isOnly('delivered');
    });
  });

  describe('from and to', () => {
    const ALL = ['1 before', '2 first', '3 noon', '4 last', '5 after'];

    beforeAll(async () => {
      account = await service.createAccount();
      await insert([
        { subject: '1 before', createdAt: new Date('2026-03-09T23:59:59.999Z') },
        { subject: '2 first', createdAt: new Date('2026-03-10T00:00:00.000Z') },
        { subject: '3 noon', createdAt: new Date('2026-03-10T12:30:00.000Z') },
        { subject: '4 last', createdAt: new Date('2026-03-10T23:59:59.999Z') },
        { subject: '5 after', createdAt: new Date('2026-03-11T00:00:00.000Z') },
      ]);
    });

    it.each<[Query, number, number]>([
      [{ from: '2026-03-10' }, 2, 5],
      [{ to: '2026-03-10' }, 1, 4],
      [{ from: '2026-03-10', to: '2026-03-10' }, 2, 4],
      [{ from: '2026-03-09', to: '2026-03-09' }, 1, 1],
      [{ from: '2026-03-10T00:00:00Z' }, 2, 5],
      [{ from: '2026-03-10T00:00:00.001Z' }, 3, 5],
      [{ from: '2026-03-10T23:59:59.999Z' }, 4, 5],
      [{ to: '2026-03-10T00:00:00Z' }, 1, 1],
      [{ to: '2026-03-10T00:00:00.001Z' }, 1, 2],
      [{ to: '2026-03-10T23:59:59.999Z' }, 1, 3],
      [{ to: '2026-03-11T00:00:00.000Z' }, 1, 4],
      [{ from: '2026-03-10T14:30:00+02:00' }, 3, 5],
      [{ from: '2026-03-10T14:30:00.001+02:00' }, 4, 5],
      [{ to: '2026-03-10T07:00:00-05:30' }, 1, 2],
      [{ to: '2026-03-10T07:00:00.001-05:30' }, 1, 3],
      [{ from: '2026-03-10T14:30:00 02:00' }, 3, 5],
      [{ from: '2026-03-10t12:30' }, 3, 5],
      [{ from: '2026-03-10T12:30:00Z', to: '2026-03-10' }, 3, 4],
      [{ from: '2026-03-10', to: '2026-03-10T12:30:00Z' }, 2, 2],
      [{ from: '2026-03-10T12:30:00Z', to: '2026-03-10T12:30:00.001Z' }, 3, 3],
      [{ from: '2026-03-10T12:30:00Z', to: '2026-03-10T12:30:00Z' }, 1, 0],
      [{ from: '0001-01-01', to: '9999-12-31' }, 1, 5],
      [{ from: '9999-01-01' }, 1, 0],
      [{ to: '0001-01-01' }, 1, 0],
    ])('%j reads times in UTC, from inclusive and to exclusive', async (query, first, last) => {
      const expected = ALL.slice(first - 1, last);
      for (const further of [{}, { status: 'sent,failed' }, { search: '@example' }, { search: '@' }])
        expect(await subjects(asUser(account), { ...query, ...further })).toEqual(expected);
    });
  });

  describe.each([
    ['among the newest messages', 0, false],
    ['behind many newer messages', READ_FIRST + 1, false],
    ['behind many newer messages, once rolled up', READ_FIRST + 1, true],
  ])('search %s', (_, newer, isRolledUp) => {
    const [KOELN, OFF, TEMP, ATHENS, SMS] = ['Grüße aus KÖLN', '100% off', 'C:\\temp\\new', 'ΑΘΗΝΑ', null];

    beforeAll(async () => {
      account = await service.createAccount();
      await insert([
        { subject: KOELN, recipient: 'Ada@Example.org', createdAt: new Date('2026-02-27T00:00:00Z') },
        { subject: OFF, recipient: 'bob_1@example.net', sender: 'news@example.com', createdAt: FIRST_OF_MARCH },
        { subject: TEMP, recipient: 'bobx1@example.net', createdAt: FIRST_OF_MARCH },
        { subject: ATHENS, recipient: 'łukasz@example.pl', createdAt: FIRST_OF_MARCH },
        { subject: SMS, channel: 'sms', recipient: '+4915112345678', sender: '+4930123456', createdAt: FIRST_OF_MARCH },
      ]);
      await insert(alike(newer, FILLER));
      if (isRolledUp) await rollUp();
    });

    it.each([
      ['ADA@example.ORG', [KOELN]],
      ['bob', [OFF, TEMP]],
      ['News@', [OFF]],
      ['shop@example.com', [TEMP, KOELN, ATHENS]],
      ['köln', [KOELN]],
      ['GRÜẞE AUS', [KOELN]],
      ['GRU\u0308ẞE AUS', [KOELN]],
      ['αθηνα', [ATHENS]],
      ['ŁUKASZ', [ATHENS]],
      ['ÜẞE', [KOELN]],
      ['Η', [ATHENS]],
      ['K', [KOELN, ATHENS]],
      ['%', [OFF]],
      ['0%', [OFF]],
      ['100% OFF', [OFF]],
      ['1%f', []],
      ['100%off', []],
      ['_', [OFF]],
      ['bob_1', [OFF]],
      ['bob__', []],
      ['\\', [TEMP]],
      ['\\n', [TEMP]],
      ['c:\\temp\\', [TEMP]],
      ['temp\\\\new', []],
      ['\\%', []],
      ['+4915', [SMS]],
      ['4930123', [SMS]],
      ['null', []],
      ["' OR 1=1 --", []],
      [' off', [OFF]],
      ['off ', []],
      ['orgshop', []],
      ['org shop', []],
      ['.comgrüße', []],
      ['ada@example.orgshop@example.com', []],
    ])('finds %s literally and case-insensitively', async (search, expected) => {
      expect(await subjects(asUser(account), { search })).toEqual(expected);
      expect(
        await subjects(asUser(account), { search, status: 'sent,queued', from: '2026-02-01', to: '2026-03-05' }),
      ).toEqual(expected);
      expect(
        (await pages(asUser(account), { search, limit: '1' }))
          .flat()
          .map(({ subject }) => subject)
          .sort(),
      ).toEqual(expected);
    });
  });

  describe('search for rare text', () => {
    const at = (time: string, row: Partial<MessageRow> = {}) => ({ ...row, subject: time, createdAt: new Date(time) });
    const inOrder = async (query: Query, ask = asUser(account)) =>
      (await pages(ask, query)).flat().map(({ subject }) => subject);

    it('finds it among the oldest messages and in older months, page by page', async () => {
      account = await service.createAccount();
      const key = await account.createKey();
      const rare = { recipient: 'Zyzzyva@example.org' };
      await insert([
        at('2025-12-31T23:59:59.999Z', { ...rare, status: 'failed' }),
        at('2026-01-01T00:00:00.000Z', { ...rare, apiKeyId: key.id }),
        at('2026-03-01T00:00:00.000Z', rare),
        at('2026-03-02T00:00:00.000Z', { ...rare, status: 'sending', apiKeyId: key.id }),
        ...alike(5_000, { ...FILLER, apiKeyId: key.id }),
        at('2026-03-21T00:00:00.000Z', { ...rare, apiKeyId: key.id }),
      ]);
      const stranger = await service.createAccount();
      await insert([at('2026-02-01T00:00:00.000Z', rare), ...alike(READ_FIRST, FILLER)], stranger);
      const all = ['2026-03-21', '2026-03-02', '2026-03-01', '2026-01-01', '2025-12-31'];
      for (const limit of ['1', '2', '5', '100']) {
        const found = async (query: Query, ask = asUser(account)) =>
          (await inOrder({ search: 'ZYZZY', limit, ...query }, ask)).map((time) => time!.slice(0, 10));
        expect(await found({})).toEqual(all);
        expect(await found({}, asKey(service, key.secret))).toEqual(['2026-03-21', '2026-03-02', '2026-01-01']);
        expect(await found({ status: 'failed,sending' })).toEqual(['2026-03-02', '2025-12-31']);
        expect(await found({ from: '2026-01-01', to: '2026-03-20' })).toEqual(all.slice(1, 4));
        expect(await found({ to: '2026-03-01T00:00:00Z', search: 'va@' })).toEqual(all.slice(3));
        expect(await found({}, asUser(stranger))).toEqual(['2026-02-01']);
      }
    });

    it.each([-2, -1, 0, 1])(
      'neither repeats nor skips a message where it starts to use the index (%i)',
      async (more) => {
        account = await service.createAccount();
        const rare = alike(5, { subject: 'Zyzzyva', createdAt: FIRST_OF_MARCH });
        const inserted = (await insert(rare)).sort().reverse();
        await insert(alike(READ_FIRST + more, FILLER));
        for (const limit of ['1', '2', '4', '5'])
          expect((await pages(asUser(account), { search: 'zyzzyva', limit })).flat().map(({ id }) => id)).toEqual(
            inserted,
          );
      },
    );

    it('finds it among many others', async () => {
      account = await service.createAccount();
      const inserted = await insert(
        Array.from({ length: 6_000 }, (_, i) => ({
          subject: i % 400 === 0 ? 'Zyzzyva' : 'zzz',
          createdAt: new Date(FIRST_OF_MARCH.getTime() + i * 600_000),
        })),
      );
      const rare = inserted.filter((_, i) => i % 400 === 0).reverse();
      for (const limit of [1, 4, 7, 100]) {
        const read = await pages(asUser(account), { search: 'zyzzyva', limit: `${limit}` });
        expect(read.flat().map(({ id }) => id)).toEqual(rare);
        for (const page of read.slice(0, -1)) expect(page).toHaveLength(limit);
      }
    });

    it('may return short pages for two letters, and continues to the end', async () => {
      account = await service.createAccount();
      const key = await account.createKey();
      await insert([
        at('2026-02-27T00:00:00.000Z', { recipient: 'qx@example.org', apiKeyId: key.id }),
        at('2026-03-01T00:00:00.000Z', { recipient: 'QX@example.org', status: 'failed' }),
        ...alike(READ_WITHOUT_INDEX + 1_000, FILLER),
        at('2026-03-21T00:00:00.000Z', { recipient: 'a_Qx@example.org' }),
      ]);
      const found = ['2026-03-21', '2026-03-01', '2026-02-27'].map((day) => `${day}T00:00:00.000Z`);
      for (const limit of ['1', '2', '100']) {
        const read = await pages(asUser(account), { search: 'qX', limit });
        expect(read.flat().map(({ subject }) => subject)).toEqual(found);
        expect(read.length).toBeLessThanOrEqual(5);
      }
      expect(await inOrder({ search: 'q', limit: '1' })).toEqual(found);
      expect(await subjects(asUser(account), { search: 'qx', status: 'failed' })).toEqual(found.slice(1, 2));
      expect(await subjects(asUser(account), { search: 'qx', to: '2026-03-01' })).toEqual(found.slice(1).sort());
      expect(await subjects(asKey(service, key.secret), { search: 'qx' })).toEqual(found.slice(2));
      expect(await inOrder({ search: '%' })).toEqual([]);
    });
  });
});
