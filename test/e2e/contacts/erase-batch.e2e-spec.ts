import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RelayFixture, SENDER } from '../../support/relay-fixture.js';
import { inHours } from '../../support/schedules.js';

describe('POST /api/contacts/:id/erase, after a batch', () => {
  let fixture: RelayFixture;

  beforeAll(async () => {
    fixture = await RelayFixture.start({ ROLE: 'api' });
  });
  afterAll(() => fixture.stop());

  it.each([
    ['Ada.Lovelace+1@Example.com', 'xada.lovelace+1@example.com'],
    ['ada@bücher.example', 'ada@bucher.example'],
  ])('erases %s from the results for repeated requests, and not %s', async (email, other) => {
    const { account, key } = await fixture.open();
    const contact = await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    const mail = { to: other, fromEmail: SENDER, subject: 'Hello', text: 'Hello', scheduledAt: inHours(1) };
    const messages = [
      { ...mail, cc: [email] },
      { ...mail, fromEmail: email },
    ];
    const send = async () => {
      const request = fixture.service
        .request('post', '/api/send/batch')
        .set({ 'X-API-Key': key.secret, 'Idempotency-Key': 'batch' });
      const { body } = await request.send({ messages: [...messages, { ...mail, fromEmail: other }], mode: 'valid' });
      return body as { queued: number; results: { messageLogId?: string }[] };
    };
    const before = await send();
    await account.asAdmin('post', `/api/contacts/${contact.body.id as string}/erase`).expect(200);
    expect(await send()).toEqual({
      queued: 1,
      results: [
        { ...before.results[0], copies: [{ email: 'erased', role: 'cc', messageLogId: expect.any(String) }] },
        { index: 1, error: expect.objectContaining({ message: 'erased is not verified for sending' }) },
        { index: 2, error: expect.objectContaining({ message: `${other} is not verified for sending` }) },
      ],
    });
  });
});
