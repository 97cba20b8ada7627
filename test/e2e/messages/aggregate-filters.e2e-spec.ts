import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { aggregateQueries } from '../../support/aggregate-queries.js';
import type { Ask, Query } from '../../support/message-queries.js';
import type { MessageRow } from '../../support/message-rows.js';
import { totalsOf, variety } from '../../support/message-totals.js';
import { TestService } from '../../support/service.js';

const NOON = new Date('2026-03-15T12:00:00Z');
const HOUR_MS = 3_600_000;

describe('GET /api/messages/aggregate with filters', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const { user, withKey, insert, rollUp, totals, total } = aggregateQueries(
    () => service,
    () => account,
  );

  describe('time', () => {
    /** Around midnights, noons and the turn of a month; no message has the last one. */
    const TIMES = [
      '2026-02-27T12:00:00.000Z',
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T00:00:00.000Z',
      '2026-03-01T00:00:00.001Z',
      '2026-03-01T12:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
      '2026-03-03T18:30:00.000Z',
      '2026-03-05T23:59:59.999Z',
      '2026-03-06T06:00:00.000Z',
    ];
    const DATES = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-04', '2026-03-06'];
    const FROM = [undefined, ...TIMES, ...DATES];
    const rows = TIMES.slice(0, -1).flatMap((time) => variety({ createdAt: new Date(time) }));
    const start = (from: string) => Date.parse(from);
    const end = (to: string) => Date.parse(to) + (DATES.includes(to) ? 24 * HOUR_MS : 0);
    const isInside = ({ createdAt }: Partial<MessageRow>, from?: string, to?: string) =>
      (!from || createdAt!.getTime() >= start(from)) && (!to || createdAt!.getTime() < end(to));

    const check = async () => {
      for (const from of FROM) {
        for (const to of FROM) {
          if (from && to && start(from) > end(to) - (DATES.includes(to) ? 1 : 0)) continue;
          const answer = { from, to, ...(await totals({ from, to })) };
          expect(answer).toEqual({ from, to, ...totalsOf(rows.filter((row) => isInside(row, from, to))) });
        }
      }
    };

    it('counts parts of days for any from and to, before and after the rollup', async () => {
      await insert(rows);
      await check();
      await rollUp();
      expect(await service.query('SELECT FROM message_count_changes')).toEqual([]);
      await check();
    });

    it('accepts an offset, and excludes to', async () => {
      await insert([{ createdAt: NOON }]);
      expect(await total({ from: '2026-03-15T14:00:00+02:00', to: '2026-03-15T12:00:00.001Z' })).toBe(1);
      expect(await total({ from: '2026-03-15T14:00:00.001+02:00' })).toBe(0);
      expect(await total({ to: '2026-03-15T07:00:00-05:00' })).toBe(0);
      expect(await total({ from: '0001-01-01', to: '9999-12-31' })).toBe(1);
      expect(await total({ from: '9999-01-01' })).toBe(0);
      expect(await total({ to: '0001-01-01' })).toBe(0);
    });
  });

  describe('subject and campaign', () => {
    const SUBJECTS = [
      'Hello',
      'hello',
      'Hello ',
      'Hello you',
      'Say Hello',
      '100% off',
      '100x off',
      'a_b',
      'axb',
      'C:\\new',
      'Ä',
      'ä',
      'GRÜSSE',
    ];

    it('match a whole subject, case-sensitively', async () => {
      await insert([
        ...SUBJECTS.map((subject) => ({ subject })),
        { subject: null, recipient: 'Hello', sender: 'Hello' },
      ]);
      for (const subject of SUBJECTS) expect([subject, await total({ subject })]).toEqual([subject, 1]);
      for (const subject of ['HELLO', 'Hell', 'ello', '%', '%ello', 'Hell_', 'Grüsse', '\\', 'null', ' ', "' OR ''='"])
        expect([subject, await total({ subject })]).toEqual([subject, 0]);
      expect(await total({ search: 'hello' })).toBe(6);
    });

    it('match a campaign exactly', async () => {
      const [spring, autumn] = [newId(NOON), newId(NOON)];
      await insert([{ campaignId: spring }, { campaignId: spring }, { campaignId: autumn }, {}]);
      for (const work of [() => Promise.resolve(), rollUp]) {
        await work();
        for (const [campaignId, expected] of [
          [spring, 2],
          [autumn, 1],
          [spring.toUpperCase(), 0],
          [spring.slice(0, 10), 0],
          ['%', 0],
          ['null', 0],
        ] as const) {
          expect(await total({ campaignId })).toBe(expected);
          expect(await total({ campaignId, search: 'ada' })).toBe(expected);
          expect(await total({ campaignId, from: '2026-01-01T10:00:00Z' })).toBe(expected);
        }
      }
    });
  });

  it('combines all filters, before and after the rollup', async () => {
    const [key, stranger] = [await account.createKey(), await service.createAccount()];
    const rows = [key.id, null].flatMap((apiKeyId) =>
      ['spring', null].flatMap((campaignId) =>
        ['Offer', 'Order 1'].flatMap((subject) =>
          [6, 30, 60].flatMap((hours) =>
            variety({ apiKeyId, campaignId, subject, createdAt: new Date(NOON.getTime() + hours * HOUR_MS) }),
          ),
        ),
      ),
    );
    await insert(rows);
    await insert(rows, stranger);
    type Filter = [Query, (row: Partial<MessageRow>) => boolean];
    const choices: Filter[][] = [
      [[{ status: 'sent,sending' }, ({ status }) => status === 'sent' || status === 'sending']],
      [
        [{ subject: 'Offer' }, ({ subject }) => subject === 'Offer'],
        [{ search: 'ORDER' }, ({ subject }) => subject === 'Order 1'],
        [{ search: '1' }, ({ subject }) => subject === 'Order 1'],
        [{ search: 'off', subject: 'Offer' }, ({ subject }) => subject === 'Offer'],
        [{ search: 'off', subject: 'Order 1' }, () => false],
      ],
      [[{ campaignId: 'spring' }, ({ campaignId }) => campaignId === 'spring']],
      [
        [{ from: '2026-03-16T18:00:00Z' }, ({ createdAt }) => createdAt! >= new Date('2026-03-16T18:00:00Z')],
        [{ to: '2026-03-16' }, ({ createdAt }) => createdAt! < new Date('2026-03-17')],
      ],
    ];
    const anything: Filter = [{}, () => true];
    const combinations = choices.reduce<Filter[][]>(
      (some, filters) => some.flatMap((chosen) => [anything, ...filters].map((filter) => [...chosen, filter])),
      [[]],
    );
    const callers: [Ask, (row: Partial<MessageRow>) => boolean][] = [
      [user(), () => true],
      [withKey(key), ({ apiKeyId }) => apiKeyId === key.id],
    ];
    for (const work of [() => Promise.resolve(), rollUp]) {
      await work();
      for (const [ask, isSeen] of callers) {
        for (const combination of combinations) {
          const query = Object.assign({}, ...combination.map(([part]) => part)) as Query;
          const selected = rows.filter((row) => isSeen(row) && combination.every(([, holds]) => holds(row)));
          expect({ query, ...(await totals(query, ask)) }).toEqual({ query, ...totalsOf(selected) });
        }
      }
    }
  });

  it('counts matches of a search in recipient, sender or subject among many messages', async () => {
    const many = (count: number, row: Partial<MessageRow>) => Array.from({ length: count }, () => row);
    await insert([
      ...many(3_000, { recipient: 'z@z', sender: 'z@z', subject: 'zzz', createdAt: NOON }),
      { recipient: 'Zyzzyva@example.org', subject: '100% off' },
      { sender: 'zyzzyva@example.com', subject: 'a_b' },
      { subject: 'The ZYZZYVA', createdAt: new Date('2026-02-01T00:00:00Z') },
      { subject: 'C:\\new', recipient: 'ÄRGER@example.org' },
    ]);
    for (const [search, expected] of [
      ['zyzzyva', 3],
      ['zy', 3],
      ['Z', 3_003],
      ['zzz', 3_000],
      ['%', 1],
      ['0% o', 1],
      ['_', 1],
      ['\\', 1],
      ['ärger', 1],
      ['ä', 1],
      ['z@zz@z', 0],
      ['orgshop', 0],
    ] as const)
      expect([search, await total({ search })]).toEqual([search, expected]);
  });
});
