import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { recordConsent } from '../../support/consents.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { RelayFixture, type SendingAccount, SENDER } from '../../support/relay-fixture.js';
import { inHours } from '../../support/schedules.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

const TO = 'ada@example.org';

describe('POST /api/messages/:id/resend', () => {
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

  const resend = (id: string) => sender.account.asAdmin('post', `/api/messages/${id}/resend`);
  const show = async (id: string) => (await sender.account.asMember('get', `/api/messages/${id}`).expect(200)).body;
  const setStatus = (id: string, status: string) =>
    fixture.service.query('UPDATE message_logs SET status = $2 WHERE id = $1', [id, status]);

  async function canceled(mail: object = {}): Promise<string> {
    const id = await sender.send({ text: 'Hello', scheduledAt: inHours(1), ...mail });
    await sender.account.asAdmin('post', `/api/messages/${id}/cancel`).expect(200);
    return id;
  }
  const mails = (count: number) =>
    waitFor(`${count} mails`, () => fixture.relay.received().length === count && fixture.relay.received());

  it('sends all of the content again as a new message', async () => {
    const id = await canceled({
      ...{ fromName: 'Shop', replyTo: 'help@example.com', subject: 'Your order', html: '<p>Hello</p>' },
      ...{ headers: { 'X-Order': '1' }, tags: ['order'], metadata: { order: '1' }, cc: ['bob@example.org'] },
      attachments: [{ filename: 'a.txt', content: Buffer.alloc(300_000, 'x').toString('base64') }],
    });
    const { body } = await resend(id).expect(201);
    expect(body).toEqual({ queued: true, messageLogId: expect.any(String), resentFrom: id });
    const [mail] = await mails(1);
    expect(mail!.envelope.to).toEqual([TO]);
    expect(mail!.parsed).toMatchObject({ subject: 'Your order', html: '<p>Hello</p>', text: 'Hello' });
    expect(mail!.parsed.from?.value).toEqual([{ name: 'Shop', address: SENDER }]);
    expect(mail!.parsed.headers.get('x-order')).toBe('1');
    expect(mail!.parsed.attachments).toMatchObject([{ filename: 'a.txt', size: 300_000 }]);
    expect(await show(body.messageLogId as string)).toMatchObject({
      ...{ resentFrom: id, apiKeyId: null, tags: ['order'], metadata: { order: '1' }, scheduledAt: null },
    });
    expect((await show(id)).status).toBe('canceled');
  });

  it('has an unsubscribe link of its own', async () => {
    const id = await canceled({ html: '<a href="{{unsubscribeUrl}}">Unsubscribe</a>', text: '{{unsubscribeUrl}}' });
    const { body: before } = await sender.account.asMember('get', `/api/messages/${id}/content`).expect(200);
    await resend(id).expect(201);
    const [mail] = await mails(1);
    const link = mail!.parsed.text!.trim();
    expect(mail!.parsed.headers.get('list')).toMatchObject({ unsubscribe: { url: link } });
    expect(link).not.toBe(before.text);
    expect(link).not.toContain((before.unsubscribeUrl as string).split('/').pop());
  });

  it('keeps the topic, which the recipient may have left or the account deleted', async () => {
    const { id: topicId } = await addTopic(sender.account);
    const [first, second, third] = [
      await canceled({ topicId }),
      await canceled({ topicId }),
      await canceled({ topicId, to: 'grace@example.org' }),
    ];
    const { body } = await resend(first).expect(201);
    expect(await show(body.messageLogId as string)).toMatchObject({ topicId });
    await recordConsent(sender.account, { email: TO, action: 'withdrawn', topicId }).expect(201);
    const refused = badRequest(`${TO} has unsubscribed from Newsletter`, 'unsubscribed_from_topic');
    await resend(second).expect(400, refused);
    await sender.account.asAdmin('delete', `/api/topics/${topicId}`).expect(200);
    await resend(second).expect(400, refused);
    await resend(third).expect(400, badRequest(`topicId: there is no topic ${topicId}`));
  });

  it('resends a message once, also when it is asked for twice at the same time', async () => {
    const id = await canceled();
    const responses = await Promise.all([resend(id), resend(id), resend(id)]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    const again = await resend(id).expect(201);
    expect(new Set([...responses, again].map(({ body }) => body.messageLogId)).size).toBe(1);
    await mails(1);
    const resent = again.body.messageLogId as string;
    await waitFor('sent', async () => (await show(resent)).status === 'sent');
    expect((await resend(resent).expect(409)).body.message).toBe('Message is sent');
    await setStatus(resent, 'failed');
    await resend(resent).expect(201);
    await mails(2);
  });

  it.each(['failed', 'suppressed'])('resends a message that is %s', async (status) => {
    const id = await canceled();
    await setStatus(id, status);
    await resend(id).expect(201);
    await mails(1);
  });

  it.each(['queued', 'sent', 'delivered', 'bounced', 'complained'])('refuses one that is %s', async (status) => {
    const id = await canceled();
    await setStatus(id, status);
    expect((await resend(id).expect(409)).body).toEqual(errorBody(409, `Message is ${status}`));
  });

  it('is subject to the suppressions, senders and caps of now', async () => {
    const id = await canceled();
    await fixture.service.query('UPDATE accounts SET daily_send_cap = 1 WHERE id = $1', [sender.account.id]);
    await resend(id).expect(429);
    await fixture.service.query('UPDATE accounts SET daily_send_cap = 2 WHERE id = $1', [sender.account.id]);
    await sender.account.asAdmin('post', '/api/suppressions').send({ email: TO }).expect(201);
    expect((await resend(id).expect(400)).body.message).toBe(`${TO} is suppressed`);
    await fixture.service.query('DELETE FROM suppressions WHERE account_id = $1', [sender.account.id]);
    const { body: senders } = await sender.account.asAdmin('get', '/api/senders').expect(200);
    await sender.account.asAdmin('delete', `/api/senders/${senders.items[0].id}`).expect(200);
    expect((await resend(id).expect(400)).body.message).toBe(`${SENDER} is not verified for sending`);
    await sender.account.verifySender(SENDER);
    await resend(id).expect(201);
  });

  it('refuses a message whose content is gone', async () => {
    const id = await canceled();
    await fixture.service.query('DELETE FROM message_contents WHERE message_id = $1', [id]);
    expect((await resend(id).expect(409)).body.message).toBe('The content of the message is no longer kept');
  });
});
