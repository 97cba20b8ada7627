import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { LANE_LIMITS } from '../../../src/modules/sending/application/account-lanes.js';
import { SendingRate } from '../../../src/modules/sending/application/ports/sending-rate.js';
import { RateSlots } from '../../../src/platform/rate-limit/rate-slots.js';
import type { DeliveryLane } from '../../../src/shared/channel.js';
import { inHours, makeDue, release } from '../../support/schedules.js';
import { RECIPIENT, SmsFixture } from '../../support/sms-fixture.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

/** More than a process delivers at a time for an account. */
const HELD = 200;

/** $1 account, $2 how many. As the deliveries have no message, no worker claims them. */
const ADD_DUE = `
  INSERT INTO pending_deliveries
    (message_id, account_id, channel, is_bulk_sms, next_attempt_at, sweep_at, scheduled_at)
  SELECT 'c' || lpad(i::text, 24, '0'), $1, 'sms', true, at, at, at
  FROM generate_series(1, $2::integer) AS i, LATERAL (SELECT now() - interval '1 hour' AS at) due`;

describe('SMS with a topic', () => {
  let fixture: SmsFixture;

  beforeAll(async () => {
    fixture = await SmsFixture.start();
  });
  afterAll(() => fixture.stop());

  it('that are released together let a code pass, which is sent at one message a second', async () => {
    const { account, key } = await fixture.open({ maxSendRate: 1 });
    const { id: topicId } = await addTopic(account);
    const message = { to: RECIPIENT, body: 'News', scheduledAt: inHours(3), topicId };
    const { body } = await fixture.service
      .request('post', '/api/send/sms/batch')
      .set('X-API-Key', key.secret)
      .send({ messages: Array.from({ length: HELD }, () => message) })
      .expect(201);
    const ids = (body as { results: { messageLogId: string }[] }).results.map(({ messageLogId }) => messageLogId);
    await makeDue(fixture.service, ids);
    const slots = jest.spyOn(fixture.service.app.get(RateSlots, { strict: false }), 'reserve');
    slots.mockResolvedValue({ count: 0, waitMs: 0, intervalMs: 1_000 }); // until the code waits for one, too
    const permits = jest.spyOn(fixture.service.app.get(SendingRate, { strict: false }), 'waitForPermit');
    const waiting = (wanted: DeliveryLane) => permits.mock.calls.filter(([, lane]) => lane === wanted).length;
    expect(await release(fixture.service)).toBe(HELD);
    await waitFor('many of them to wait for a slot', () => waiting('bulk_sms') >= LANE_LIMITS.chunkSize);
    const code = await fixture.send(key);
    await waitFor('the code to wait for a slot', () => waiting('sms') > 0);
    slots.mockRestore();
    permits.mockRestore();
    await fixture.reaches(key, code, 'sent', 1);
    const sent = fixture.aws.published().map(({ message: text }) => text);
    expect(sent.findIndex((text) => text !== message.body)).toBeLessThan(HELD / 2);
  });

  it('let a scheduled SMS without one pass, however many are due before it', async () => {
    const { account, key } = await fixture.open();
    await fixture.service.query(ADD_DUE, [account.id, 3_000]);
    const code = await fixture.send(key, { scheduledAt: inHours(3) });
    await makeDue(fixture.service, [code]);
    await release(fixture.service);
    await fixture.reaches(key, code, 'sent', 1);
  });
});
