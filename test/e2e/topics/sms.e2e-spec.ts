import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { recordConsent } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { RECIPIENT, type SmsAccount, SmsFixture } from '../../support/sms-fixture.js';
import { addTopic } from '../../support/topics.js';

const OTHER = '+14155550101';
const REFUSED = badRequest(`${RECIPIENT} has unsubscribed from Newsletter`, 'unsubscribed_from_topic');

describe('An SMS with a topic', () => {
  let fixture: SmsFixture;
  let sms: SmsAccount;
  let topicId: string;

  beforeAll(async () => {
    fixture = await SmsFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.aws.reset();
    sms = await fixture.open();
    topicId = (await addTopic(sms.account)).id;
  });

  const post = (body: object = {}) => fixture.post(sms.key, { topicId, ...body });
  const withdraw = (fields: object = { topicId }) =>
    recordConsent(sms.account, { phone: RECIPIENT, action: 'withdrawn', ...fields }).expect(201);

  it('shows it, and is found by it', async () => {
    const id = await fixture.send(sms.key, { topicId });
    expect(await fixture.reaches(sms.key, id, 'sent', 1)).toMatchObject({ topicId });
    await fixture.send(sms.key);
    const { body } = await sms.account.asMember('get', '/api/messages').query({ topicId, channel: 'sms' });
    expect(body.items).toMatchObject([{ id }]);
  });

  it('is refused to a number that is out of it, which gets others', async () => {
    await recordConsent(sms.account, { email: 'ada@example.org', action: 'withdrawn', topicId }).expect(201);
    await post().expect(201);
    await withdraw();
    await post({ to: '(415) 555-0100' }).expect(400, REFUSED);
    await post({ to: OTHER }).expect(201);
    await post({ topicId: null }).expect(201);
    const messages = [RECIPIENT, OTHER].map((to) => ({ to, body: 'Hello', topicId }));
    const request = fixture.service.request('post', '/api/send/sms/batch').set('X-API-Key', sms.key.secret);
    const { body } = await request.send({ messages, mode: 'valid' }).expect(201);
    expect(body).toMatchObject({
      results: [{ error: { code: 'unsubscribed_from_topic' } }, { messageLogId: expect.any(String) }],
    });
  });

  it('is refused with the topic of another account', async () => {
    const foreign = (await addTopic(await fixture.service.createAccount())).id;
    await post({ topicId: foreign }).expect(400, badRequest(`topicId: there is no topic ${foreign}`));
  });

  it('is not submitted to a number that has left it since', async () => {
    fixture.aws.answer = ({ operation }) =>
      operation === 'Publish' ? { status: 500, error: 'InternalError', message: 'Oops' } : undefined;
    const id = await fixture.send(sms.key, { topicId });
    await fixture.reaches(sms.key, id, 'queued', 1);
    await withdraw({});
    fixture.aws.answer = () => undefined;
    const asked = fixture.aws.requests('Publish');
    await fixture.sweepAfter(120);
    expect(await fixture.reaches(sms.key, id, 'suppressed', 1)).toMatchObject({ error: REFUSED.message });
    expect(fixture.aws.requests('Publish')).toBe(asked);
  });
});
