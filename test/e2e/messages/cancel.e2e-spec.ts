import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { PendingDeliveryRepository } from '../../../src/modules/messages/application/ports/pending-delivery.repository.js';
import { chunk } from '../../../src/shared/collections.js';
import { newId } from '../../../src/shared/ids.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { inHours, makeDue, release } from '../../support/schedules.js';
import { waitFor } from '../../support/wait-for.js';

const MAIL = { text: 'Hello' };
const RACES = 1_000;
const RACES_AT_A_TIME = 50;
const LOCKED = errorBody(409, 'Message is already being sent');

describe('Canceling and rescheduling', () => {
  let fixture: RelayFixture;
  let sender: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    sender = await fixture.open({ dailySendCap: 10_000 });
  });

  const schedule = (mail: object = {}) => sender.send({ ...MAIL, scheduledAt: inHours(1), ...mail });
  const asKey = (method: 'post' | 'patch', path: string, secret = sender.key.secret) =>
    fixture.service.request(method, `/api/messages/${path}`).set('X-API-Key', secret);
  const cancel = (id: string) => asKey('post', `${id}/cancel`);
  const reschedule = (id: string, scheduledAt: unknown) => asKey('patch', id).send({ scheduledAt });
  const claim = (id: string) =>
    fixture.service.app.get(PendingDeliveryRepository, { strict: false }).claim(sender.account.id, [id]);
  const received = (subject: string) =>
    fixture.relay.received().filter(({ parsed }) => parsed.subject === subject).length;

  it('makes a scheduled message canceled, and the same again', async () => {
    const id = await schedule();
    const { body } = await cancel(id).expect(200);
    expect(body).toMatchObject({ id, status: 'canceled' });
    expect((await cancel(id).expect(200)).body).toEqual(body);
    const { events } = await sender.read(id);
    expect(events).toMatchObject([{ type: 'canceled', data: {} }]);
    expect(await claim(id)).toEqual([]);
    const { body: totals } = await sender.account.asMember('get', '/api/messages/aggregate').expect(200);
    expect(totals).toMatchObject({ total: 1, status: { queued: 0, canceled: 1 } });
    const { body: page } = await sender.account.asMember('get', '/api/messages?status=canceled').expect(200);
    expect(page.items).toHaveLength(1);
  });

  it('cancels a message that waits for its next attempt', async () => {
    fixture.relay.answer = (stage) => (stage === 'rcpt' ? { code: 450, message: '4.2.0 later' } : undefined);
    const { id } = await sender.attempt(MAIL);
    const { body } = await cancel(id as string).expect(200);
    expect(body.status).toBe('canceled');
    fixture.relay.reset();
    fixture.service.clock.advance({ minutes: 10 });
    expect(await fixture.sweep()).toBe(0);
    fixture.service.clock.advance({ minutes: -10 });
  });

  it('gives nothing back to the daily limits', async () => {
    const small = await fixture.open({ dailySendCap: 1 });
    const id = await small.send({ ...MAIL, scheduledAt: inHours(1) });
    await asKey('post', `${id}/cancel`, small.key.secret).expect(200);
    await small.post(MAIL).expect(429);
  });

  it('refuses what a worker holds, even if its lease has expired', async () => {
    const id = await schedule();
    await makeDue(fixture.service, [id]);
    await claim(id);
    expect((await cancel(id).expect(409)).body).toEqual(LOCKED);
    expect((await reschedule(id, inHours(2)).expect(409)).body).toEqual(LOCKED);
    await fixture.service.query(`UPDATE pending_deliveries SET lease_ends_at = now() - interval '1 hour'`);
    expect((await cancel(id).expect(409)).body).toEqual(LOCKED);
  });

  it.each(['sent', 'delivered', 'bounced', 'complained', 'failed', 'suppressed'])(
    'refuses a message that is %s',
    async (status) => {
      const id = await schedule();
      await fixture.service.query('DELETE FROM pending_deliveries WHERE message_id = $1', [id]);
      await fixture.service.query('UPDATE message_logs SET status = $2 WHERE id = $1', [id, status]);
      expect((await cancel(id).expect(409)).body.message).toBe(`Message is ${status}`);
      expect((await reschedule(id, inHours(2)).expect(409)).body.message).toBe(`Message is ${status}`);
    },
  );

  it('cancels several, and says which are unchanged and why', async () => {
    const [scheduled, canceled, sent, other] = [
      await schedule(),
      await schedule(),
      await sender.send(MAIL),
      newId(new Date()),
    ];
    await cancel(canceled).expect(200);
    await sender.reaches(sent, 'sent', 1);
    const errors = [
      { id: sent, message: 'Message is sent' },
      { id: other, message: 'Message not found' },
    ];
    const ids = [scheduled, canceled, sent, other];
    const expected = { canceled: 2, unchanged: 2, errors };
    await asKey('post', 'cancel').send({ ids }).expect(200, expected);
    await asKey('post', 'cancel').send({ ids }).expect(200, expected);
  });

  it.each([
    [{}, 'ids must be an array'],
    [{ ids: [] }, 'ids must contain at least 1 elements'],
    [{ ids: ['x'] }, 'ids must be ids of messages'],
    [{ ids: Array.from({ length: 1_001 }, () => newId(new Date())) }, 'ids has more than 1000 elements'],
  ])('refuses a list like %j', async (body, message) => {
    const response = await asKey('post', 'cancel').send(body).expect(400);
    expect(response.body.message).toBe(message);
  });

  it('belongs to the key that sent the message, and to admins', async () => {
    const id = await schedule();
    const stranger = await fixture.open();
    const sibling = await sender.account.createKey();
    for (const secret of [stranger.key.secret, sibling.secret]) {
      await asKey('post', `${id}/cancel`, secret).expect(404);
      await asKey('patch', id, secret)
        .send({ scheduledAt: inHours(2) })
        .expect(404);
      const { body } = await asKey('post', 'cancel', secret)
        .send({ ids: [id] })
        .expect(200);
      expect(body).toMatchObject({ canceled: 0, unchanged: 1 });
    }
    const reader = await sender.account.createKey({ scopes: ['read_events'] });
    await asKey('post', `${id}/cancel`, reader.secret).expect(403);
    await sender.account.asMember('post', `/api/messages/${id}/cancel`).expect(403);
    await stranger.account.asAdmin('post', `/api/messages/${id}/cancel`).expect(404);
    await sender.account.asAdmin('post', `/api/messages/${id}/cancel`).expect(200);
  });

  it('moves a message to another time, and to now', async () => {
    const id = await schedule();
    const at = inHours(48);
    expect((await reschedule(id, at).expect(200)).body).toMatchObject({ id, status: 'queued', scheduledAt: at });
    await reschedule(id, at).expect(200);
    const [pending] = await fixture.service.query(
      `SELECT scheduled_at = next_attempt_at AND scheduled_at = sweep_at AS together FROM pending_deliveries
       WHERE message_id = $1`,
      [id],
    );
    expect(pending).toEqual({ together: true });
    const before = fixture.service.clock.now().getTime();
    const { body } = await reschedule(id, inHours(0)).expect(200);
    expect(Date.parse(body.scheduledAt as string)).toBeGreaterThanOrEqual(before);
    await sender.reaches(id, 'sent', 1);
  });

  it('dates a message that is moved to now by that time, however long ago it was accepted', async () => {
    const id = await schedule();
    await fixture.service.query(`UPDATE message_logs SET created_at = now() - interval '10 days' WHERE id = $1`, [id]);
    const { body } = await reschedule(id, inHours(0)).expect(200);
    await sender.reaches(id, 'sent', 1);
    const [mail] = fixture.relay.received();
    expect(Math.floor(mail!.parsed.date!.getTime() / 1_000)).toBe(
      Math.floor(Date.parse(body.scheduledAt as string) / 1_000),
    );
  });

  it('holds a message back that has been released already', async () => {
    const id = await schedule();
    await makeDue(fixture.service, [id]);
    await fixture.service.query('UPDATE pending_deliveries SET scheduled_at = NULL WHERE message_id = $1', [id]);
    await reschedule(id, inHours(1)).expect(200);
    expect(await claim(id)).toEqual([]);
  });

  it.each([
    [undefined, 'scheduledAt must be an ISO 8601 date-time with an offset'],
    [null, 'scheduledAt must be an ISO 8601 date-time with an offset'],
    [inHours(-1), 'scheduledAt is in the past'],
    [inHours(91 * 24), 'scheduledAt is more than 90 days ahead'],
  ])('refuses to move a message to %j', async (scheduledAt, message) => {
    expect((await reschedule(await schedule(), scheduledAt).expect(400)).body.message).toBe(message);
  });

  it('wins or loses against the claim: canceled and never received, or 409 and received', async () => {
    const outcomes: number[] = [];
    for (const races of chunk([...Array(RACES).keys()], RACES_AT_A_TIME)) {
      const ids = await Promise.all(races.map((race) => schedule({ subject: `Race ${race}` })));
      await makeDue(fixture.service, ids);
      // Half of the races begin when the workers know of the messages.
      const released = release(fixture.service);
      if (races[0]! % 100 === 0) await released;
      const responses = await Promise.all(ids.map((id) => cancel(id)));
      await released;
      for (const [i, { status, body }] of responses.entries()) {
        outcomes.push(status);
        expect(status === 200 || /^Message is (already being )?sent$/.test(body.message as string)).toBe(true);
        if (status !== 200) await waitFor('the mail', () => received(`Race ${races[i]!}`) === 1);
      }
      const kept = ids.filter((_, i) => responses[i]!.status === 200);
      const pending = () => fixture.service.query('SELECT FROM pending_deliveries WHERE message_id = ANY ($1)', [ids]);
      await waitFor('all outcomes', async () => (await pending()).length === 0);
      for (const [i, race] of races.entries()) expect(received(`Race ${race}`)).toBe(kept.includes(ids[i]!) ? 0 : 1);
    }
    expect(outcomes).toHaveLength(RACES);
    expect(new Set(outcomes)).toEqual(new Set([200, 409]));
  });
});
