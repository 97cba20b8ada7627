import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import { recordConsent } from '../../support/consents.js';
import { SubmissionFixture } from '../../support/submission-fixture.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

const ADA = 'ada@example.org';
const GRACE = 'grace@example.org';

describe('A mail with a topic, submitted by SMTP', () => {
  let fixture: SubmissionFixture;
  let topicId: string;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
    topicId = (await addTopic(fixture.sender.account)).id;
    await recordConsent(fixture.sender.account, { email: ADA, action: 'withdrawn', topicId }).expect(201);
  });
  afterAll(() => fixture.stop());

  const submit = (to: string | string[], ...topics: string[]) =>
    fixture.submit({ to, text: 'Hello', headers: topics.map((value) => ({ key: 'X-Service-Topic', value })) });
  const stored = () => fixture.service.query('SELECT FROM message_logs');

  it('becomes a message with it, and its recipient does not see the header', async () => {
    const id = await submit(GRACE, topicId);
    const { body } = await fixture.sender.account.asMember('get', `/api/messages/${id}`).expect(200);
    expect(body).toMatchObject({ topicId });
    const mail = await waitFor('the mail', () => fixture.relay.received()[0]);
    expect(mail.raw).not.toContain(topicId);
  });

  it.each([[ADA], [[GRACE, ADA]]])('is refused for good to %j, of whom one has unsubscribed from it', async (to) => {
    const before = await stored();
    await expect(submit(to, topicId)).rejects.toMatchObject({
      responseCode: 550,
      response: expect.stringContaining(`${ADA} has unsubscribed from Newsletter`),
    });
    expect(await stored()).toHaveLength(before.length);
    await submit(ADA);
  });

  it('is refused for good with a topic that the account does not have', async () => {
    const other = await fixture.service.createAccount();
    for (const [unknown, text] of [
      [(await addTopic(other)).id, 'there is no topic'],
      [newId(fixture.service.clock.now()), 'there is no topic'],
      ['newsletter', 'topicId must be the id of a topic'],
    ] as const)
      await expect(submit(GRACE, unknown)).rejects.toMatchObject({
        responseCode: 554,
        response: expect.stringContaining(text),
      });
  });

  it('has one topic at most', async () => {
    await expect(submit(GRACE, topicId, topicId)).rejects.toMatchObject({ responseCode: 554 });
  });
});
