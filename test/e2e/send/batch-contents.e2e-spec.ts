import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestKey } from '../../support/account.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';
const LENGTH = 990_000;

/** A request of a few bytes, of which a template makes megabytes. */
describe('Long contents', () => {
  let service: TestService;
  let key: TestKey;
  let templateId: string;

  beforeAll(async () => {
    service = await TestService.shared();
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
    const part = 'x'.repeat(LENGTH / 2);
    const { body } = await account
      .asAdmin('post', '/api/templates')
      .send({ name: 'Long', subject: 'Hello', html: part, text: part })
      .expect(201);
    templateId = body.id as string;
  });
  afterAll(() => service.stop());

  it('fill a batch up to a limit', async () => {
    const sendBatch = (messages: object[], mode: string) =>
      service.request('post', '/api/send/batch').set('X-API-Key', key.secret).send({ messages, mode });
    const short = { to: 'bob@example.org', fromEmail: SENDER, subject: 'Hello', text: 'Hello' };
    const long = { to: 'ada@example.org', fromEmail: SENDER, templateId };
    const refusal = expect.stringContaining('html and text of the batch are longer than 16000000 characters together');
    const all = await sendBatch(Array(17).fill(long), 'all').expect(400);
    expect(all.body.message).toEqual(refusal);
    const valid = await sendBatch([...Array<object>(17).fill(long), short], 'valid').expect(201);
    const refused = (valid.body.results as { error?: { message: string } }[]).filter(({ error }) => error);
    expect(refused).toEqual([expect.objectContaining({ error: expect.objectContaining({ message: refusal }) })]);
    expect(valid.body.queued).toBe(17);
  });
});
