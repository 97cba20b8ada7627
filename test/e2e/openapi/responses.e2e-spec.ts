import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiFixtures, type CallerName, CALLERS, NO_SUCH_ID } from '../../support/api-fixtures.js';
import { readOperations } from '../../support/api-document.js';
import { DomainFixture } from '../../support/domain-fixture.js';
import { RawClient } from '../../support/raw-request.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { StrictDocument, type StrictOperation } from '../../support/strict-document.js';

const strict = new StrictDocument();
const operations = readOperations();
const signUp = strict.operations.find(({ operationId }) => operationId === 'createSignup')!;

const SETTINGS = {
  smtp: { host: 'localhost', port: 25, username: 'mailer', password: 'secret', eventSigningKey: 'k'.repeat(32) },
  ses: { region: 'eu-west-1', accessKeyId: 'AKIA1', secretAccessKey: 'secret', configurationSet: 'transactional' },
  sms: { enabled: true, region: 'us-east-1', originationNumber: '+12065550100' },
};

/** Examples whose effect needs more than a row: SMS reach Amazon SNS, a login needs its user. */
const NOT_SENDABLE = new Set(['sendSms', 'sendSmsBatch', 'logIn', 'updatePassword']);

describe('Real responses, validated strictly against openapi.json,', () => {
  let relay: SmtpSink;
  let fixture: DomainFixture;
  let client: RawClient;
  const answered = new Set<string>();

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await DomainFixture.start({ ROLE: 'api', SMTP_URL: relay.url });
    client = new RawClient(fixture.service.url);
  });
  afterAll(async () => {
    client.close();
    await fixture.stop();
    await relay.stop();
  });

  const described = ({ method, path }: StrictOperation) =>
    operations.find((operation) => operation.method === method && operation.path === path)!;

  /** Throws where the answer is not as described. */
  async function ask(
    fixtures: ApiFixtures,
    operation: StrictOperation,
    caller: CallerName,
    request: Parameters<ApiFixtures['call']>[2],
  ): Promise<{ status: number; text: string }> {
    const { status, headers, text } = await fixtures.call(described(operation), caller, request);
    const type = (headers['content-type'] ?? '').split(';')[0]!;
    const faults = strict.faultsOf(operation, status, type, text);
    if (status >= 400 && type === 'application/json' && !operation.path.startsWith('/health'))
      faults.push(...codeFaults(operation, status, text, request?.id === NO_SUCH_ID));
    answered.add(`${operation.operationId} ${status}`);
    if (faults.length > 0) throw new Error(`${operation.operationId} as ${caller}: ${status}\n${faults.join('\n')}`);
    return { status, text };
  }

  /** The code must be one of those with an example; without access or a row, the message must be the example's. */
  function codeFaults({ responses }: StrictOperation, status: number, text: string, isMissing: boolean): string[] {
    const { code, message } = JSON.parse(text) as { code: string; message: string };
    const example = responses[String(status)]?.content?.['application/json']?.examples?.[code]?.value;
    if (!example) return [`${status} ${code} is not documented: ${message}`];
    const documented = (example as { message: string }).message;
    const isFixed = status === 401 || status === 403 || (status === 404 && isMissing);
    return isFixed && documented !== message ? [`${status} is documented as "${documented}" and is "${message}"`] : [];
  }

  const examplesOf = ({ requestBody }: StrictOperation): unknown[] => {
    const media = requestBody?.content['application/json'];
    return media?.examples ? Object.values(media.examples).map(({ value }) => value) : [media?.example];
  };

  it.each(strict.operations)('of $operationId: done, refused, and of what is not there', async (operation) => {
    const fixtures = await ApiFixtures.create(fixture.service, client, operations);
    const id = await fixtures.idFor(described(operation)).catch(() => NO_SUCH_ID);
    for (const caller of CALLERS) {
      const body = fixtures.bodyOf(described(operation));
      await ask(fixtures, operation, caller, { id: NO_SUCH_ID, body });
      await ask(fixtures, operation, caller, { id, body });
      await ask(fixtures, operation, caller, { id, query: 'nonsense=1' });
    }
    const isForKeys = described(operation).security.every((scheme) => scheme === 'apiKey');
    if (operation.method !== 'get')
      await ask(fixtures, operation, isForKeys ? 'key' : 'admin', {
        id,
        body: '{}',
        headers: { 'Content-Encoding': 'x' },
      });
    if (operation.path.includes('{')) await ask(fixtures, operation, 'admin', { id: '%zz' });
  });

  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'of createSignup with %s: done, refused, from a page of another origin, and of what is not there',
    async (type) => {
      const fixtures = await ApiFixtures.create(fixture.service, client, operations);
      const id = await fixtures.rowOf('/api/forms');
      const isJson = type === 'application/json';
      const submit = async (email: string, headers: Record<string, string> = {}, formId = id) => {
        const body = isJson ? JSON.stringify({ email }) : `email=${email}`;
        const request = { id: formId, body, headers: { 'Content-Type': type, ...headers } };
        return (await ask(fixtures, signUp, 'nobody', request)).status;
      };
      expect(await submit('ada@example.com')).toBe(isJson ? 202 : 200);
      expect(await submit('ada')).toBe(400);
      expect(await submit('ada@example.com', { Origin: 'https://elsewhere.example' })).toBe(403);
      expect(await submit('ada@example.com', {}, NO_SUCH_ID)).toBe(404);
    },
  );

  it('of what a person or an operator has made impossible: codes of their own', async () => {
    const fixtures = await ApiFixtures.create(fixture.service, client, operations);
    const { account } = fixtures;
    const named = (operationId: string) => strict.operations.find((one) => one.operationId === operationId)!;
    const codeOf = async (operationId: string, caller: CallerName, request: { id?: string; body?: string }) =>
      (JSON.parse((await ask(fixtures, named(operationId), caller, request)).text) as { code: string }).code;

    const email = 'erased@example.com';
    const contact = await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    await account.asAdmin('post', `/api/contacts/${contact.body.id}/erase`).expect(200);
    const consent = JSON.stringify({ email, action: 'granted' });
    expect(await codeOf('recordConsent', 'key', { body: consent })).toBe('suppressed');

    const templateId = await fixtures.rowOf('/api/templates');
    const campaign = { name: 'News', fromEmail: 'hello@example.com', templateId, audience: {} };
    const { body } = await account.asAdmin('post', '/api/campaigns').send(campaign).expect(201);
    await account.asAdmin('delete', `/api/templates/${templateId}`).expect(200);
    expect(await codeOf('getCampaignMissingValues', 'admin', { id: body.id })).toBe('template_fault');

    await fixture.service.query(`UPDATE accounts SET sms = '{"provider": "pigeon", "enabled": true}' WHERE id = $1`, [
      account.id,
    ]);
    const sms = { to: '+14155550100', body: 'Hello' };
    expect(await codeOf('sendSms', 'key', { body: JSON.stringify(sms) })).toBe('provider_error');
    expect(await codeOf('sendSmsBatch', 'key', { body: JSON.stringify({ messages: [sms] }) })).toBe('provider_error');
  });

  it('include each error that is documented, of those that a request alone can bring about', () => {
    const documented = strict.operations.flatMap(({ operationId, path, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const isForbidden =
          !path.startsWith('/api/provider-events') && content?.['application/json']?.examples?.forbidden !== undefined;
        return ['400', '401', '404', '415'].includes(status) || isForbidden ? [`${operationId} ${status}`] : [];
      }),
    );
    expect(documented.filter((error) => !answered.has(error))).toEqual([]);
  });

  const withExamples = strict.operations.filter(
    (operation) => examplesOf(operation)[0] !== undefined && !NOT_SENDABLE.has(operation.operationId),
  );

  it.each(withExamples)('the examples of $operationId can be sent as they are', async (operation) => {
    const fixtures = await ApiFixtures.create(fixture.service, client, operations);
    const isForKeys = described(operation).security.every((scheme) => scheme === 'apiKey');
    for (const example of examplesOf(operation)) {
      const id = operation.path.includes('{') ? await fixtures.idFor(described(operation)) : NO_SUCH_ID;
      const body = JSON.stringify(example);
      const { status, text } = await ask(fixtures, operation, isForKeys ? 'key' : 'admin', { id, body });
      expect({ status: status < 300, text: status < 300 ? '' : text }).toEqual({ status: true, text: '' });
    }
  });

  describe('where fields are null and where they are not', () => {
    let fixtures: ApiFixtures;
    const named = (operationId: string) =>
      strict.operations.find((operation) => operation.operationId === operationId)!;
    const read = async (operationId: string, id: string, caller: CallerName = 'admin') => {
      const { status, text } = await ask(fixtures, named(operationId), caller, { id });
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      return JSON.parse(text);
    };

    beforeAll(async () => {
      fixtures = await ApiFixtures.create(fixture.service, client, operations);
    });

    it('of settings', async () => {
      expect(await read('getSettings', '')).toMatchObject({ smtp: null, ses: null, sms: null });
      const { status } = await ask(fixtures, named('updateSettings'), 'admin', { body: JSON.stringify(SETTINGS) });
      expect(status).toBe(200);
      expect(await read('getSettings', '')).toMatchObject({ smtp: {}, ses: {}, sms: {} });
      await ask(fixtures, named('updateSettings'), 'admin', { body: '{"smtp":null,"ses":null,"sms":null}' });
    });

    it('of messages', async () => {
      const id = await fixtures.rowOf('/api/send/transactional');
      expect(await read('getMessage', id)).toMatchObject({ encoding: null, contact: null, campaign: null });
      await fixture.service.query(
        `UPDATE message_logs SET channel = 'sms', encoding = 'ucs2', segments = 2, error = 'x', sent_at = now() WHERE id = $1`,
        [id],
      );
      await fixture.service.query(
        `INSERT INTO email_events (message_id, id, type, occurred_at, recipient, data)
         VALUES ($1, 'c1', 'bounced', now(), 'ada@example.com', '{"bounceType":"hard"}')`,
        [id],
      );
      expect(await read('getMessage', id)).toMatchObject({ encoding: 'ucs2', segments: 2 });
      expect(await read('getMessage', id, 'key')).not.toHaveProperty('contact');
      expect((await read('listMessages', '')).items).toHaveLength(1);
    });

    it('of messages to a contact', async () => {
      const contact = await fixtures.rowOf('/api/contacts');
      const id = await fixtures.rowOf('/api/send/transactional');
      await fixture.service.query('UPDATE message_logs SET contact_id = $2 WHERE id = $1', [id, contact]);
      expect(await read('getMessage', id)).toMatchObject({ contact: { id: contact } });
    });

    it('of deliveries and their attempts', async () => {
      const deliveries = operations.find(({ path }) => path === '/api/webhooks/deliveries/{id}')!;
      const id = await fixtures.idFor(deliveries);
      await fixture.service.query(
        `INSERT INTO webhook_attempts (delivery_id, number, id, started_at, duration_ms, request_headers, status_code,
           response_headers)
         VALUES ($1, 1, 'ca', now(), 7, '{"X-Service-Event":"contact.bounced"}', 200, '{"server":"nginx"}'),
           ($1, 2, 'cb', now(), NULL, NULL, NULL, NULL)`,
        [id],
      );
      expect((await read('getWebhookDelivery', id)).attempts).toHaveLength(2);
    });
  });
});
