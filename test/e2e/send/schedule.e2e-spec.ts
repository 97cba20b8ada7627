import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { PendingDeliveryRepository } from '../../../src/modules/messages/application/ports/pending-delivery.repository.js';
import { ScheduledDeliveries } from '../../../src/modules/messages/application/ports/scheduled-deliveries.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { inHours, makeDue, release } from '../../support/schedules.js';
import { waitFor } from '../../support/wait-for.js';

const DAY_HOURS = 24;
const MAIL = { text: 'Hello' };

describe('scheduledAt', () => {
  let fixture: RelayFixture;
  let sender: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    sender = await fixture.open();
  });

  const schedule = (scheduledAt: string, mail: object = {}) => sender.send({ ...MAIL, ...mail, scheduledAt });
  const claim = (id: string) =>
    fixture.service.app.get(PendingDeliveryRepository, { strict: false }).claim(sender.account.id, [id]);
  const arrived = (count: number) => waitFor(`${count} mails`, () => fixture.relay.received().length === count);
  const list = async (query: string) =>
    (await sender.account.asMember('get', `/api/messages?${query}`).expect(200)).body.items as { id: string }[];

  it('keeps a message queued until its time, and submits it then, with that time as its date', async () => {
    const at = inHours(3);
    const id = await schedule(at, { cc: ['bob@example.org'] });
    expect(await sender.read(id)).toMatchObject({ status: 'queued', scheduledAt: at, events: [] });
    expect(await release(fixture.service)).toBe(0);
    expect(await fixture.sweep()).toBe(0);
    const copies = (await sender.read(id)).copies as { messageLogId: string }[];
    const ids = [id, ...copies.map(({ messageLogId }) => messageLogId)];
    await makeDue(fixture.service, ids);
    expect(await release(fixture.service)).toBe(2);
    await arrived(2);
    await sender.reaches(id, 'sent', 1);
    const { scheduledAt } = await sender.read(id);
    const [mail] = fixture.relay.received();
    expect(Math.floor(mail!.parsed.date!.getTime() / 1_000)).toBe(
      Math.floor(Date.parse(scheduledAt as string) / 1_000),
    );
  });

  it('is not claimed before its time, whatever the clock of the worker says', async () => {
    const id = await schedule(inHours(1));
    expect(await claim(id)).toEqual([]);
    fixture.service.clock.advance({ hours: 2 });
    expect(await release(fixture.service)).toBe(0);
    expect(await claim(id)).toEqual([]);
    fixture.service.clock.advance({ hours: -2 });
    await makeDue(fixture.service, [id]);
    expect(await claim(id)).toHaveLength(1);
  });

  it('is released once by several workers at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => schedule(inHours(1))));
    await makeDue(fixture.service, ids);
    const released = await Promise.all(Array.from({ length: 4 }, () => release(fixture.service)));
    expect(released.reduce((sum, count) => sum + count)).toBe(20);
    await arrived(20);
  });

  it('understands offsets, also where daylight saving ends', async () => {
    const day = inHours(40 * DAY_HOURS).slice(0, 10);
    const summer = await schedule(`${day}T02:30:00+02:00`);
    const winter = await schedule(`${day}T02:30:00.250+01:00`);
    expect((await sender.read(summer)).scheduledAt).toBe(`${day}T00:30:00.000Z`);
    expect((await sender.read(winter)).scheduledAt).toBe(`${day}T01:30:00.250Z`);
  });

  it('means at once if it has just passed', async () => {
    const id = await schedule(inHours(-4.9 / 60));
    await arrived(1);
    expect((await sender.read(id)).scheduledAt).toBeNull();
  });

  it.each([
    [inHours(-5.1 / 60), 'scheduledAt is in the past'],
    [inHours(90 * DAY_HOURS + 0.1), 'scheduledAt is more than 90 days ahead'],
    ['2030-01-01T09:00:00', 'scheduledAt must be an ISO 8601 date-time with an offset'],
    ['2030-01-01', 'scheduledAt must be an ISO 8601 date-time with an offset'],
    ['2030-02-30T09:00:00Z', 'scheduledAt must be an ISO 8601 date-time with an offset'],
    ['tomorrow', 'scheduledAt must be an ISO 8601 date-time with an offset'],
    [1_800_000_000, 'scheduledAt must be an ISO 8601 date-time with an offset'],
  ])('is refused as %j', async (scheduledAt, message) => {
    const { body } = await sender.post({ ...MAIL, scheduledAt }).expect(400);
    expect(body).toEqual(errorBody(400, message));
  });

  it('is accepted up to 90 days ahead, counts today, and is null if it is not given', async () => {
    const { headers } = await sender.post({ ...MAIL, scheduledAt: inHours(90 * DAY_HOURS - 0.1) }).expect(201);
    expect(headers['x-ratelimit-remaining']).toBe('999');
    const id = await sender.send({ ...MAIL, scheduledAt: null });
    await arrived(1);
    expect((await sender.read(id)).scheduledAt).toBeNull();
  });

  it('is a filter of the list and the aggregate', async () => {
    const now = await sender.send(MAIL);
    const later = await schedule(inHours(1), { tags: ['later'] });
    await arrived(1);
    expect((await list('scheduled=true')).map(({ id }) => id)).toEqual([later]);
    expect((await list('scheduled=true&tag=later&search=ada')).map(({ id }) => id)).toEqual([later]);
    expect((await list('')).map(({ id }) => id)).toEqual([later, now]);
    const { body } = await sender.account.asMember('get', '/api/messages/aggregate?scheduled=true').expect(200);
    expect(body).toMatchObject({ total: 1, status: { queued: 1, canceled: 0 } });
    await sender.account.asMember('get', '/api/messages?scheduled=maybe').expect(400);
  });

  it('goes to nobody who has been suppressed meanwhile, and from no sender who is not verified any more', async () => {
    const formerly = 'formerly@example.com';
    await sender.account.verifySender(formerly);
    const suppressed = await schedule(inHours(1), { to: 'eve@example.org' });
    const unverified = await schedule(inHours(1), { fromEmail: formerly });
    await sender.account.asAdmin('post', '/api/suppressions').send({ email: 'eve@example.org' }).expect(201);
    await makeDue(fixture.service, [suppressed]);
    await release(fixture.service);
    await waitFor('suppressed', async () => (await sender.read(suppressed)).status === 'suppressed');
    await fixture.service.query('DELETE FROM senders WHERE email = $1', [formerly]);
    await makeDue(fixture.service, [unverified]);
    await release(fixture.service);
    const refused = await waitFor('an outcome', async () => {
      const message = await sender.read(unverified);
      return message.error !== null && message;
    });
    expect(refused.error).toContain(`${formerly} is not verified for sending`);
    expect(fixture.relay.received()).toEqual([]);
  });

  it('lets an account with many due messages neither fill the queue nor hold up the others', async () => {
    await fixture.service.query('DELETE FROM pending_deliveries');
    const id = await schedule(inHours(1));
    await fixture.service.query(COPIES, [id, 3_000]);
    const other = await fixture.open();
    const others = await other.send({ ...MAIL, scheduledAt: inHours(1) });
    await fixture.service.query(`UPDATE pending_deliveries SET scheduled_at = now(), next_attempt_at = now()`);
    // Released, but not enqueued: a worker would make room for more.
    const deliveries = fixture.service.app.get(ScheduledDeliveries, { strict: false });
    const released = await deliveries.releaseDueAcrossAccounts();
    expect(released).toHaveLength(2_501);
    expect(released.map(({ messageId }) => messageId)).toContain(others);
    expect(await deliveries.releaseDueAcrossAccounts()).toEqual([]);
  });

  it('is no part of the backlog until it is due', async () => {
    const backlog = async () =>
      /^messages_pending\{lane="email"\} (\d+)$/m.exec((await fixture.service.request('get', '/metrics')).text)?.[1];
    await fixture.service.query('DELETE FROM pending_deliveries');
    const id = await schedule(inHours(1));
    expect(await backlog()).toBe('0');
    await makeDue(fixture.service, [id]);
    expect(await backlog()).toBe('1');
  });
});

/** Pending deliveries without messages. */
const COPIES = `
  INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, scheduled_at)
  SELECT message_id || n, account_id, channel, next_attempt_at, sweep_at, scheduled_at
  FROM pending_deliveries, generate_series(1, $2::integer) n WHERE message_id = $1`;
