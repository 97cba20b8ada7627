import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SMTP_VENDORS } from '../../../src/shared/account-provider.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { TestService } from '../../support/service.js';
import { KEYS, SIGN } from '../../support/vendor-posts.js';

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));
const ofVariables = { statusCode: 400, message: 'variables has an object of more than 1000 fields' };

describe('The number of fields', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    key = await account.createKey();
    await account.verifySender('shop@example.com');
  });
  afterAll(() => service.stop());

  const mail = (variables: object) => ({
    ...{ to: 'ada@example.com', fromEmail: 'shop@example.com', subject: 'Hello {{k1}}', text: 'Hello' },
    variables,
  });

  it.each(['/api/send/transactional', '/api/send/batch'])('of variables is limited: %s', async (path) => {
    const send = (variables: object) => {
      const body = path.endsWith('batch') ? { messages: [mail(variables)] } : mail(variables);
      return service.request('post', path).set('x-api-key', key.secret).send(body);
    };
    await send(fields(1_000)).expect(201);
    const { body } = await send(fields(1_001));
    const message = path.endsWith('batch') ? 'messages has an object of more than 1000 fields' : ofVariables.message;
    expect(body).toMatchObject({ statusCode: 400, message });
    const lists = await send({ items: Array(10_000).fill(1) });
    const what = path.endsWith('batch') ? 'messages has an entry of' : 'The body holds';
    expect(lists.body).toMatchObject({ statusCode: 400, message: `${what} more than 10000 values` });
  });

  it('is limited for each of 500 mails, not for all together', async () => {
    const messages = Array.from({ length: 500 }, () => mail(fields(200)));
    const request = service.request('post', '/api/send/batch').set('x-api-key', key.secret);
    const { body } = await request.send({ messages }).expect(201);
    expect(body).toMatchObject({ queued: 500 });
  });

  it.each(['/api/templates/preview', '/api/campaigns'])(
    'of a request of the dashboard is limited: %s',
    async (path) => {
      const { body } = await account
        .asAdmin('post', path)
        .send({ subject: 'Hello', text: 'x', variables: fields(1_001) });
      expect(body).toMatchObject(ofVariables);
    },
  );

  it.each(SMTP_VENDORS)('of an event of a provider is limited: %s', async (vendor) => {
    const smtp = { host: 'relay.example', port: 587, vendor, eventSigningKey: KEYS[vendor] };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    const post = async (event: object) => {
      const { body, headers } = SIGN[vendor](vendor === 'sendgrid' ? [event] : event);
      const all = { 'content-type': 'application/json', ...headers };
      const response = await fetch(`${service.url}/api/provider-events/smtp/${account.id}`, {
        ...{ method: 'POST', headers: all, body },
      });
      return response.json();
    };
    expect(await post({ id: 'e1', type: 'unknown', data: fields(1_000) })).toEqual({ stored: true });
    expect(await post({ id: 'e2', type: 'unknown', data: fields(1_001) })).toMatchObject({
      statusCode: 400,
      message: `${vendor === 'sendgrid' ? 'The body' : 'data'} has an object of more than 1000 fields`,
    });
    const lists = { id: 'e3', type: 'unknown', data: { a: Array(100_000).fill([]) } };
    expect(await post(lists)).toMatchObject({ statusCode: 400, message: 'The body holds more than 100000 values' });
  });
});
