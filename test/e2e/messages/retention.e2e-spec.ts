import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { MessagePartitions } from '../../../src/modules/messages/application/ports/message-maintenance.js';
import { RetainMessages } from '../../../src/modules/messages/application/retain-messages.service.js';
import { newId } from '../../../src/shared/ids.js';
import { createTestDatabase, MIGRATED, type TestDatabase } from '../../support/database.js';
import { TestService } from '../../support/service.js';

const DAY_MS = 86_400_000;

describe('Retention', () => {
  let database: TestDatabase;
  let service: TestService;
  let accountId: string;

  beforeAll(async () => {
    database = await createTestDatabase(MIGRATED);
    const variables = { ROLE: 'api', CONTENT_RETENTION_DAYS: '30', MESSAGE_RETENTION_MONTHS: '2' };
    service = await TestService.start(variables, database);
    accountId = (await service.createAccount()).id;
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const retention = () => service.app.get(RetainMessages, { strict: false });
  const ensure = (from: Date, months: number) =>
    service.app.get(MessagePartitions, { strict: false }).ensure(from, months);
  const exists = async (name: string) =>
    (await service.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name]))[0]?.found;
  const partitions = async (table: string) =>
    (
      await service.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
        [table],
      )
    ).map(({ name }) => name);
  const monthOf = (time: Date) => time.toISOString().slice(0, 7).replace('-', '_');
  const monthsFromNow = (months: number) => {
    const now = service.clock.now();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  };

  async function addMessage(at: Date): Promise<string> {
    const id = newId(at);
    await service.query(
      `INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, created_at)
       VALUES ($1, $2, 'email', 'sent', 'a@example.org', 'a@example.org', 'b@example.org', $3)`,
      [id, accountId, at],
    );
    await service.query(`INSERT INTO message_contents (message_id, html) VALUES ($1, 'x')`, [id]);
    await service.query(`INSERT INTO email_events (message_id, id, type, occurred_at) VALUES ($1, 'ce', 'sent', $2)`, [
      id,
      at,
    ]);
    return id;
  }
  const left = async (table: string, column: string, ids: string[]) =>
    (await service.query<{ id: string }>(`SELECT ${column} AS id FROM ${table} WHERE ${column} = ANY($1)`, [ids])).map(
      ({ id }) => id,
    );

  it('creates partitions for this month and the next three at the start and every month', async () => {
    const expected = (table: string, from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => `${table}_${monthOf(monthsFromNow(from + i))}`).sort();
    for (const table of ['message_logs', 'message_contents', 'email_events']) {
      expect(await partitions(table)).toEqual(expected(table, 0, 3));
    }
    service.clock.advance({ days: 31 });
    await retention().ensurePartitions();
    const now = (await partitions('message_logs')).at(-1);
    expect(now).toBe(`message_logs_${monthOf(monthsFromNow(3))}`);
  });

  it('creates a partition once for concurrent calls', async () => {
    service.clock.advance({ days: 31 });
    await Promise.all(Array.from({ length: 5 }, () => retention().ensurePartitions()));
    expect((await partitions('email_events')).at(-1)).toBe(`email_events_${monthOf(monthsFromNow(3))}`);
  });

  it('purges contents by the day, and log and events by the month', async () => {
    await ensure(monthsFromNow(-5), 6);
    const now = service.clock.now().getTime();
    const fresh = await addMessage(new Date(now));
    const nearlyOld = await addMessage(new Date(now - 29 * DAY_MS));
    const old = await addMessage(new Date(now - 31 * DAY_MS));
    const veryOld = await addMessage(new Date(monthsFromNow(-3).getTime() + DAY_MS));
    const ids = [fresh, nearlyOld, old, veryOld];
    await retention().purgeExpired();
    expect(new Set(await left('message_contents', 'message_id', ids))).toEqual(new Set([fresh, nearlyOld]));
    expect(new Set(await left('message_logs', 'id', ids))).toEqual(new Set([fresh, nearlyOld, old]));
    expect(new Set(await left('email_events', 'message_id', ids))).toEqual(new Set([fresh, nearlyOld, old]));
    expect((await partitions('message_logs'))[0]).toBe(`message_logs_${monthOf(monthsFromNow(-2))}`);
    await retention().purgeExpired();
  });

  it('continues after a process was killed between detaching and dropping a month', async () => {
    await ensure(monthsFromNow(-5), 2);
    const name = `email_events_${monthOf(monthsFromNow(-5))}`;
    await service.query(`ALTER TABLE email_events DETACH PARTITION ${name} CONCURRENTLY`);
    await retention().purgeExpired();
    expect(await exists(name)).toBe(false);
  });

  it('creates partitions while transactions that use the tables are open', async () => {
    const user = await service.database.pool.connect();
    await user.query(`BEGIN; LOCK TABLE message_logs, message_contents, email_events IN ROW EXCLUSIVE MODE`);
    await ensure(monthsFromNow(8), 1);
    await user.query('ROLLBACK');
    user.release();
    expect(await partitions('message_logs')).toContain(`message_logs_${monthOf(monthsFromNow(8))}`);
  });

  it('attaches a detached month with its rows again if it is needed again', async () => {
    await ensure(monthsFromNow(6), 1);
    const id = await addMessage(new Date(monthsFromNow(6).getTime() + DAY_MS));
    const name = `message_logs_${monthOf(monthsFromNow(6))}`;
    await service.query(`ALTER TABLE message_logs DETACH PARTITION ${name} CONCURRENTLY`);
    expect(await left('message_logs', 'id', [id])).toEqual([]);
    await ensure(monthsFromNow(6), 1);
    expect(await left('message_logs', 'id', [id])).toEqual([id]);
  });

  /** Waits for a reader of the table and is cancelled, as after a time limit or a killed process. */
  async function detachByHalf(table: string, name: string): Promise<void> {
    const reader = await service.database.pool.connect();
    await reader.query(`BEGIN; SELECT FROM ${table} LIMIT 1`);
    const cancelled = await service.database.pool.connect();
    await cancelled.query(`SET statement_timeout = '200ms'`);
    await expect(cancelled.query(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`)).rejects.toThrow(
      /statement timeout/,
    );
    cancelled.release(true);
    await reader.query('ROLLBACK');
    reader.release();
    const [row] = await service.query('SELECT FROM pg_inherits WHERE inhrelid = $1::regclass AND inhdetachpending', [
      name,
    ]);
    expect(row).toBeDefined();
  }

  it('finishes detaching a half-detached month before it detaches others', async () => {
    await ensure(monthsFromNow(-5), 2);
    const [earlier, later] = [-5, -4].map((months) => `email_events_${monthOf(monthsFromNow(months))}`) as [
      string,
      string,
    ];
    await detachByHalf('email_events', later);
    await retention().purgeExpired();
    expect(await exists(earlier)).toBe(false);
    expect(await exists(later)).toBe(false);
  });

  it('attaches a half-detached month again if it is needed again', async () => {
    const name = `email_events_${monthOf(monthsFromNow(6))}`;
    await detachByHalf('email_events', name);
    await ensure(monthsFromNow(6), 1);
    expect(await partitions('email_events')).toContain(name);
    await service.query('INSERT INTO email_events (message_id, id, type, occurred_at) VALUES ($1, $2, $3, now())', [
      newId(monthsFromNow(6)),
      'ce',
      'sent',
    ]);
  });

  it('detaches without a time limit; other statements keep theirs', async () => {
    await service.database.queryWithoutTimeout(
      `DO $$ BEGIN ASSERT current_setting('statement_timeout') = '0', 'there is a limit'; END $$`,
    );
    await expect(service.database.queryWithoutTimeout('SELECT 1 / 0')).rejects.toThrow('division by zero');
    const limits = await Promise.all(
      Array.from({ length: 20 }, () => service.query<{ statement_timeout: string }>('SHOW statement_timeout')),
    );
    expect(new Set(limits.map(([row]) => row?.statement_timeout))).toEqual(new Set(['30s']));
  });

  it('keeps pending messages, and purges them once they are final', async () => {
    await ensure(monthsFromNow(-5), 6);
    const now = service.clock.now().getTime();
    const pending = [
      await addMessage(new Date(monthsFromNow(-4).getTime() + DAY_MS)),
      await addMessage(new Date(now - 31 * DAY_MS)),
    ];
    const final = await addMessage(new Date(now - 31 * DAY_MS));
    await service.query(
      `INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at)
       SELECT id, $2, 'email', $3, $3 FROM unnest($1::text[]) id`,
      [pending, accountId, service.clock.now()],
    );
    await retention().purgeExpired();
    expect(new Set(await left('message_contents', 'message_id', [...pending, final]))).toEqual(new Set(pending));
    expect(new Set(await left('message_logs', 'id', pending))).toEqual(new Set(pending));
    expect(await exists(`message_contents_${monthOf(monthsFromNow(-5))}`)).toBe(false);
    await service.query('DELETE FROM pending_deliveries WHERE message_id = ANY($1)', [pending]);
    await retention().purgeExpired();
    expect(await left('message_contents', 'message_id', pending)).toEqual([]);
  });

  it('keeps the content of a scheduled message beyond its retention, until it is canceled', async () => {
    const account = await service.createAccount();
    await account.verifySender('shop@example.com');
    const { secret } = await account.createKey();
    const now = service.clock.now();
    await retention().ensurePartitions();
    const send = async (scheduledAt: Date | null) => {
      const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=' }];
      const mail = { to: 'ada@example.org', cc: ['bob@example.org'], fromEmail: 'shop@example.com', attachments };
      const { body } = await service
        .request('post', '/api/send/transactional')
        .set('X-API-Key', secret)
        .send({ ...mail, subject: 'Hello', text: 'Hello', scheduledAt })
        .expect(201);
      return body.messageLogId as string;
    };
    const scheduled = await send(new Date(now.getTime() + 89 * DAY_MS));
    const sent = await send(null);
    const ids = [scheduled, sent];
    await service.query(`DELETE FROM pending_deliveries WHERE scheduled_at IS NULL AND account_id = $1`, [account.id]);
    const contents = () => left('message_contents', 'message_id', ids);
    const attachments = () => left('message_attachments', 'group_id', ids);
    service.clock.advance({ days: 31 });
    await retention().purgeExpired();
    expect([await contents(), await attachments()]).toEqual([[scheduled], [scheduled]]);
    service.clock.advance({ days: 57 });
    await retention().purgeExpired();
    expect([await contents(), await attachments()]).toEqual([[scheduled], [scheduled]]);
    expect(await left('message_logs', 'id', [scheduled])).toEqual([scheduled]);
    const asKey = (method: 'get' | 'post', path: string) =>
      service.request(method, `/api/messages/${path}`).set('X-API-Key', secret);
    const { body } = await asKey('get', scheduled).expect(200);
    for (const { messageLogId } of body.copies as { messageLogId: string }[])
      await asKey('post', `${messageLogId}/cancel`).expect(200);
    await retention().purgeExpired();
    expect([await contents(), await attachments()]).toEqual([[scheduled], [scheduled]]);
    await asKey('post', `${scheduled}/cancel`).expect(200);
    await retention().purgeExpired();
    expect([await contents(), await attachments()]).toEqual([[], []]);
  });

  it('purges all that is expired between many scheduled messages', async () => {
    const day = new Date(service.clock.now().getTime() - 31 * DAY_MS);
    await ensure(day, 1);
    const prefix = newId(day).slice(0, -6);
    await service.query(
      `INSERT INTO message_contents (message_id, html) SELECT $1 || to_char(n, 'FM000000'), 'x' FROM generate_series(1, $2) n`,
      [prefix, 12_000],
    );
    await service.query(
      `INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, scheduled_at)
       SELECT $1 || to_char(n, 'FM000000'), $3, 'email', $4, $4, $4 FROM generate_series(1, $2, 10) n`,
      [prefix, 12_000, accountId, service.clock.now()],
    );
    await retention().purgeExpired();
    const [kept] = await service.query(
      `SELECT count(*)::integer AS contents, count(p.message_id)::integer AS pending
       FROM message_contents c LEFT JOIN pending_deliveries p USING (message_id) WHERE c.message_id LIKE $1 || '%'`,
      [prefix],
    );
    expect(kept).toEqual({ contents: 1_200, pending: 1_200 });
  });

  it('ignores tables whose name is not that of a month', async () => {
    await service.query('CREATE TABLE message_logs_2020_99 (id text)');
    await retention().purgeExpired();
    expect(await exists('message_logs_2020_99')).toBe(true);
    await service.query('DROP TABLE message_logs_2020_99');
  });
});
