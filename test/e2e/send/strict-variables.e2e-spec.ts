import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';
const MAIL = { to: 'ada@example.org', fromEmail: SENDER, strictVariables: true };

describe('strictVariables', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
  });

  const post = (path: string, body: object) => service.request('post', path).set('X-API-Key', key.secret).send(body);
  const send = (mail: object) => post('/api/send/transactional', { ...MAIL, ...mail });
  const messages = async () =>
    (await service.query('SELECT FROM message_logs WHERE account_id = $1', [account.id])).length;

  it('refuses a send, naming each placeholder without a value once, in order', async () => {
    const { body } = await send({
      ...{
        subject: 'Hi {{firstName}}',
        html: '{{city}} {{firstName}}{{#vip}}{{level}}{{/vip}}',
        text: '{{a.b}} {{city}}',
      },
      variables: { a: {}, known: 1 },
    }).expect(400);
    expect(body).toMatchObject({ statusCode: 400, message: 'variables lacks firstName, city, a.b' });
    expect(await messages()).toBe(0);
  });

  it('takes what has values, and nothing else changes', async () => {
    const mail = { subject: '{{a}}', html: '{{b}}{{#list}}{{.}}{{/list}} {{unsubscribeUrl}}' };
    await send({ ...mail, variables: { a: 'x', b: '', list: [1, 2] } }).expect(201);
    await send({ ...mail, variables: { a: 'x' }, strictVariables: false }).expect(201);
    await send({ ...mail, variables: { a: 'x' }, strictVariables: null }).expect(201);
    await send({ subject: 'Plain', text: 'No placeholders' }).expect(201);
    expect(await messages()).toBe(4);
  });

  it('refuses placeholders without any variables, which would go out as they are', async () => {
    const { body } = await send({ subject: 'Hi {{name}}', text: 'Hello {{unsubscribeUrl}}' }).expect(400);
    expect(body.message).toBe('variables lacks name');
  });

  it('applies to templates and their overrides', async () => {
    const template = { name: 'T', subject: 'Hi {{firstName}}', html: '<p>{{city}}</p>', text: '{{zip}}' };
    const { body } = await account.asAdmin('post', '/api/templates').send(template).expect(201);
    const refused = await send({ templateId: body.id, text: 'Hello' }).expect(400);
    expect(refused.body.message).toBe('variables lacks firstName, city');
    await send({ templateId: body.id, text: 'Hello', variables: { firstName: 'Ada', city: 'Bern' } }).expect(201);
    const path = `/api/templates/${body.id}/test`;
    const { body: tested } = await account
      .asAdmin('post', path)
      .send({ ...MAIL, variables: { zip: 1 } })
      .expect(400);
    expect(tested.message).toBe('variables lacks firstName, city');
  });

  it('applies to each message of a batch', async () => {
    const mail = { ...MAIL, subject: 'Hi {{name}}', text: 'Hello' };
    const list = [
      { ...mail, variables: { name: 'Ada' } },
      { ...mail, variables: {} },
      { ...mail, strictVariables: false },
    ];
    const all = await post('/api/send/batch', { messages: list }).expect(400);
    expect(all.body.message).toBe('messages[1].variables lacks name');
    const { body } = await post('/api/send/batch', { messages: list, mode: 'valid' }).expect(201);
    expect(body.results[1]).toMatchObject({ index: 1, error: { message: 'variables lacks name', statusCode: 400 } });
    expect(body.queued).toBe(2);
  });

  it('names at most 50 of them', async () => {
    const text = Array.from({ length: 60 }, (_, i) => `{{v${i}}}`).join('');
    const { body } = await send({ subject: 'Hi', text, variables: {} }).expect(400);
    expect(body.message).toMatch(/^variables lacks v0, v1, .*, v49 and 10 more$/);
  });

  it('is a boolean', async () => {
    const { body } = await send({ subject: 'Hi', text: 'Hello', strictVariables: 'yes' }).expect(400);
    expect(body.message).toBe('strictVariables must be a boolean value');
  });
});
