import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

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
    expect(await release(fixture.service)).toBe(HELD);
    await waitFor('the first of them to be sent', () => Promise.resolve(fixture.aws.requests('Publish') > 0));
    const code = await fixture.send(key);
    await fixture.reaches(key, code, 'sent', 1);
    const { body: counts } = await account.asMember('get', '/api/messages/aggregate?channel=sms').expect(200);
    expect(counts.status.sent).toBeLessThan(HELD / 2);
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
