import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { MessagePartitions } from '../../src/modules/messages/application/ports/message-partitions.js';
import { RetainMessages } from '../../src/modules/messages/application/retain-messages.service.js';
import { newId } from '../../src/shared/ids.js';
import { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;

describe('Retention', () => {
  let service: TestService;
  let accountId: string;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', CONTENT_RETENTION_DAYS: '30', MESSAGE_RETENTION_MONTHS: '2' });
    accountId = (await service.createAccount()).id;
  });
  afterAll(() => service.stop());

  const retention = () => service.app.get(RetainMessages, { strict: false });
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

  it('has room for this month and the next three from the start, and keeps it as time goes on', async () => {
    const expected = (table: string, from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => `${table}_${monthOf(monthsFromNow(from + i))}`).sort();
    for (const table of ['message_logs', 'message_contents', 'email_events']) {
      expect(await partitions(table)).toEqual(expected(table, 0, 3));
    }
    service.clock.advance({ days: 31 });
    await retention().makeRoom();
    const now = (await partitions('message_logs')).at(-1);
    expect(now).toBe(`message_logs_${monthOf(monthsFromNow(3))}`);
  });

  it('makes a partition once although many ask for it at the same time', async () => {
    service.clock.advance({ days: 31 });
    await Promise.all(Array.from({ length: 5 }, () => retention().makeRoom()));
    expect((await partitions('email_events')).at(-1)).toBe(`email_events_${monthOf(monthsFromNow(3))}`);
  });

  it('lets go of contents to the day and of log and events by the month', async () => {
    await service.app.get(MessagePartitions, { strict: false }).ensure(monthsFromNow(-5), 6);
    const now = service.clock.now().getTime();
    const fresh = await addMessage(new Date(now));
    const nearlyOld = await addMessage(new Date(now - 29 * DAY_MS));
    const old = await addMessage(new Date(now - 31 * DAY_MS));
    const veryOld = await addMessage(new Date(monthsFromNow(-3).getTime() + DAY_MS));
    const ids = [fresh, nearlyOld, old, veryOld];
    await retention().letGo();
    expect(new Set(await left('message_contents', 'message_id', ids))).toEqual(new Set([fresh, nearlyOld]));
    expect(new Set(await left('message_logs', 'id', ids))).toEqual(new Set([fresh, nearlyOld, old]));
    expect(new Set(await left('email_events', 'message_id', ids))).toEqual(new Set([fresh, nearlyOld, old]));
    expect((await partitions('message_logs'))[0]).toBe(`message_logs_${monthOf(monthsFromNow(-2))}`);
    await retention().letGo();
  });

  it('goes on where a process was killed between detaching and dropping a month', async () => {
    await service.app.get(MessagePartitions, { strict: false }).ensure(monthsFromNow(-5), 2);
    const name = `email_events_${monthOf(monthsFromNow(-5))}`;
    await service.query(`ALTER TABLE email_events DETACH PARTITION ${name} CONCURRENTLY`);
    await retention().letGo();
    const [row] = await service.query<{ gone: boolean }>(`SELECT to_regclass($1) IS NULL AS gone`, [name]);
    expect(row?.gone).toBe(true);
  });
});
