import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { errorBody } from '../../support/errors.js';
import { inHours, makeDue, release } from '../../support/schedules.js';
import { RECIPIENT, type SmsAccount, SmsFixture } from '../../support/sms-fixture.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

const HOUR_MS = 3_600_000;

describe('Quiet hours', () => {
  let fixture: SmsFixture;
  let sender: SmsAccount;
  let topicId: string;

  beforeAll(async () => {
    fixture = await SmsFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.aws.reset();
    await open();
  });

  async function open(): Promise<void> {
    sender = await fixture.open();
    ({ id: topicId } = await addTopic(sender.account));
  }
  const time = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16);
  const patch = (sms: object) => sender.account.asAdmin('patch', '/api/settings').send({ sms });
  const endsOf = (from: number, to: number) => ({ from: time(from), to: time(to), timeZone: 'UTC' });
  async function set(quietHours: ReturnType<typeof endsOf> | null): Promise<void> {
    await patch({ quietHours }).expect(200);
    const directory = fixture.service.app.get(ProviderDirectory, { strict: false });
    await waitFor('the change to be known', async () => {
      const known = await directory.smsQuietHours(sender.account.id);
      return known?.from === quietHours?.from && known?.to === quietHours?.to;
    });
  }
  const sendWithTopic = () => fixture.send(sender.key, { scheduledAt: inHours(3), topicId });
  async function deliver(id: string): Promise<void> {
    await makeDue(fixture.service, [id]);
    expect(await release(fixture.service)).toBe(1);
  }
  /** A message that waits for the end of quiet hours. */
  async function held(): Promise<string> {
    await set(endsOf(-1, 2));
    const id = await sendWithTopic();
    await deliver(id);
    await fixture.reaches(sender.key, id, 'queued', 1);
    return id;
  }
  const published = () => fixture.aws.requests('Publish');

  it('schedule an SMS with a topic for their end, when it can still be canceled', async () => {
    const quietHours = endsOf(-1, 2);
    await set(quietHours);
    const id = await sendWithTopic();
    await deliver(id);
    const waiting = await fixture.reaches(sender.key, id, 'queued', 1);
    expect(waiting.scheduledAt).toMatch(new RegExp(`T${quietHours.to}:00.000Z$`));
    expect(Date.parse(waiting.scheduledAt)).toBeGreaterThan(Date.now());
    expect(waiting.events).toMatchObject([
      { type: 'delayed', data: { reason: 'quiet_hours', nextAttemptAt: waiting.scheduledAt } },
    ]);
    expect(await release(fixture.service)).toBe(0);
    const { body } = await sender.account.asMember('get', '/api/messages?scheduled=true').expect(200);
    expect(body.items).toMatchObject([{ id, scheduledAt: waiting.scheduledAt }]);
    await sender.account.asAdmin('post', `/api/messages/${id}/cancel`).expect(200);
    expect(published()).toBe(0);
  });

  it('are asked again when the message is due, and count no attempt', async () => {
    const id = await held();
    await deliver(id);
    await fixture.reaches(sender.key, id, 'queued', 2);
    await set(null);
    await deliver(id);
    const { events } = await fixture.reaches(sender.key, id, 'sent', 3);
    expect(events.at(-1)).toMatchObject({ type: 'sent', data: { attempt: 1 } });
    expect(published()).toBe(1);
  });

  it('do not hold an SMS without a topic, nor one outside of them, nor that of another account', async () => {
    await set(endsOf(-1, 2));
    await fixture.reaches(sender.key, await fixture.send(sender.key), 'sent', 1);
    await set(endsOf(1, 2));
    const outside = await sendWithTopic();
    await deliver(outside);
    await fixture.reaches(sender.key, outside, 'sent', 1);
    await set(endsOf(-1, 2));
    await open();
    const others = await sendWithTopic();
    await deliver(others);
    await fixture.reaches(sender.key, others, 'sent', 1);
  });

  it('hold a retry', async () => {
    fixture.aws.answer = ({ operation }) =>
      operation === 'Publish' ? { status: 500, error: 'InternalError', message: 'down' } : undefined;
    const id = await sendWithTopic();
    await deliver(id);
    await fixture.reaches(sender.key, id, 'queued', 1);
    const quietHours = endsOf(-1, 2);
    await set(quietHours);
    await fixture.sweepAfter(3_600);
    const { events } = await fixture.reaches(sender.key, id, 'queued', 2);
    expect(events.at(-1)).toMatchObject({ data: { reason: 'quiet_hours' } });
    fixture.service.clock.advance({ seconds: -3_600 });
    expect(published()).toBe(1);
  });

  it('do not outlast a suppression that comes meanwhile', async () => {
    const id = await held();
    const phone = RECIPIENT;
    await sender.account.asAdmin('post', '/api/suppressions').send({ phone }).expect(201);
    await set(null);
    await deliver(id);
    const { error } = await fixture.reaches(sender.key, id, 'suppressed', 1);
    expect(error).toContain(RECIPIENT);
    expect(published()).toBe(0);
  });

  it('end in the wait of an account that is paused meanwhile', async () => {
    const id = await held();
    await set(null);
    await patch({ enabled: false }).expect(200);
    await fixture.knows(sender.account, (provider) => provider === null);
    await deliver(id);
    await waitFor('the message to be postponed', async () => {
      const [row] = await fixture.service.query(
        `SELECT FROM pending_deliveries
         WHERE message_id = $1 AND scheduled_at IS NULL AND lease_ends_at IS NULL AND next_attempt_at > $2`,
        [id, fixture.service.clock.now()],
      );
      return row;
    });
    expect(published()).toBe(0);
    await patch({ enabled: true }).expect(200);
    await fixture.knows(sender.account, (provider) => provider !== null);
    await fixture.sweepAfter(3_600);
    await waitFor('the message to be sent', async () => (await fixture.read(sender.key, id)).status === 'sent');
    fixture.service.clock.advance({ seconds: -3_600 });
    expect(published()).toBe(1);
  });

  it('hold a message whose worker died before it was scheduled, and send it once after them', async () => {
    await set(endsOf(-1, 2));
    const id = await sendWithTopic();
    await fixture.service.query(
      `UPDATE pending_deliveries SET scheduled_at = NULL, claim_id = 'of a dead worker', attempts = 1,
         lease_ends_at = now() - interval '1 minute', sweep_at = now() - interval '1 minute',
         next_attempt_at = now() - interval '1 minute' WHERE message_id = $1`,
      [id],
    );
    await fixture.sweepAfter(0);
    const { events } = await waitFor('the message to be scheduled', async () => {
      const message = await fixture.read(sender.key, id);
      return message.events.at(-1)?.data.reason === 'quiet_hours' && message;
    });
    expect(published()).toBe(0);
    await set(null);
    await deliver(id);
    await fixture.reaches(sender.key, id, 'sent', (events as unknown[]).length + 1);
    expect(published()).toBe(1);
  });

  it.each([
    [{ from: '21:00', to: '21:00', timeZone: 'UTC' }, 'sms.quietHours.to must not be the same as sms.quietHours.from'],
    [
      { from: '21:00', to: '08:00', timeZone: 'Mars' },
      'sms.quietHours.timeZone must be an IANA time zone such as Europe/Berlin',
    ],
    [{ from: '24:00', to: '08:00', timeZone: 'UTC' }, 'sms.quietHours.from must be a time of day such as 21:00'],
  ])('refuse %j', async (quietHours, message) => {
    const { body } = await patch({ quietHours }).expect(400);
    expect(body).toEqual(errorBody(400, message));
  });
});
