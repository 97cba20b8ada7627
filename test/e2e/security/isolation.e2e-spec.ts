import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { checksumsOf, idsOf } from '../../support/account-rows.js';
import { type ApiRequest, ApiFixtures, type CallerName, idFieldsOf, NO_SUCH_ID } from '../../support/api-fixtures.js';
import { type Operation, readOperations } from '../../support/api-document.js';
import { DomainFixture } from '../../support/domain-fixture.js';
import { fieldsOf, toJson, withField } from '../../support/hostile-requests.js';
import { insertMessages } from '../../support/message-rows.js';
import { type RawAnswer, RawClient } from '../../support/raw-request.js';
import type { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { SIGN } from '../../support/vendor-posts.js';

/** Open to anybody with a secret of the account, its provider or its recipient, and forms, which are for everybody. */
const PROVEN = [
  '/api/provider-events/ses/{accountId}',
  '/api/provider-events/sms/{accountId}',
  '/api/provider-events/smtp/{accountId}',
  '/api/provider-events/twilio/{accountId}',
  '/confirm/{token}',
  '/f/assets/{name}',
  '/f/{formId}',
  '/f/{formId}/challenge',
  '/f/{formId}/embed.js',
  '/r/{messageId}',
  '/r/{messageId}/open.gif',
  '/u/{token}',
  '/verify-sender/{token}',
];

/**
 * Fields that look like the id of a row: a row of the account's own, which is made for the test, or null for what is
 * none.
 */
const NAMED_ROWS: Record<string, ((of: ApiFixtures) => Promise<string>) | null> = {
  'GET /api/campaigns topicId': campaignTopicOf,
  'GET /api/consents topicId': topicOf,
  'POST /api/consents topicId': topicOf,
  'GET /api/contacts listId': listOf,
  'GET /api/contacts topicId': topicOf,
  'GET /api/contacts/consent-coverage topicId': topicOf,
  'GET /api/contacts/export.csv listId': listOf,
  'GET /api/contacts/export.csv topicId': topicOf,
  'PATCH /api/campaigns/{id} audience.excludeListIds': listOf,
  'PATCH /api/campaigns/{id} audience.listIds': listOf,
  'PATCH /api/campaigns/{id} templateId': (of) => of.rowOf('/api/templates'),
  'PATCH /api/contacts/{id} listIds': listOf,
  'POST /api/campaigns audience.excludeListIds': listOf,
  'POST /api/campaigns audience.listIds': listOf,
  'POST /api/campaigns templateId': (of) => of.rowOf('/api/templates'),
  'POST /api/contacts listIds': listOf,
  'POST /api/contacts/import listId': listOf,
  // A form with a file: import-csv.e2e-spec.ts names the list of another account.
  'POST /api/contacts/import/csv listId': null,
  'PATCH /api/settings sms.senderId': null,
  'POST /api/send/transactional templateId': (of) => of.rowOf('/api/templates'),
  'PATCH /api/forms/{id} confirmation.templateId': (of) => of.rowOf('/api/templates'),
  'PATCH /api/forms/{id} listIds': listOf,
  'PATCH /api/forms/{id} topicIds': topicOf,
  'PATCH /api/forms/{id} welcome.templateId': (of) => of.rowOf('/api/templates'),
  'POST /api/forms confirmation.templateId': (of) => of.rowOf('/api/templates'),
  'POST /api/forms listIds': listOf,
  'POST /api/forms topicIds': topicOf,
  'POST /api/forms welcome.templateId': (of) => of.rowOf('/api/templates'),
  'GET /api/messages topicId': sentTopicOf,
  'GET /api/messages/aggregate topicId': sentTopicOf,
  'GET /api/messages/export.csv topicId': sentTopicOf,
  'PATCH /api/campaigns/{id} topicId': topicOf,
  'POST /api/campaigns topicId': topicOf,
  // These accounts send no SMS: topics/sms.e2e-spec.ts names the topic of another account.
  'POST /api/send/sms topicId': null,
  'POST /api/send/transactional topicId': topicOf,
  'POST /api/templates/{id}/test topicId': topicOf,
  'GET /api/messages/aggregate campaignId': async (of) => {
    const campaignId = (await of.rowOf('/api/send/transactional')).replace(/^c/, 'd');
    await insertMessages(of.service, of.account.id, [{ campaignId }]);
    return campaignId;
  },
  'PATCH /api/settings ses.accessKeyId': null,
};

function listOf(of: ApiFixtures): Promise<string> {
  return of.rowOf('/api/lists');
}

function topicOf(of: ApiFixtures): Promise<string> {
  return of.rowOf('/api/topics');
}

async function sentTopicOf(of: ApiFixtures): Promise<string> {
  const topicId = await topicOf(of);
  await insertMessages(of.service, of.account.id, [{ topicId }]);
  return topicId;
}

async function campaignTopicOf(of: ApiFixtures): Promise<string> {
  const topicId = await topicOf(of);
  const campaign = await of.rowOf('/api/campaigns');
  await of.service.query('UPDATE campaigns SET topic_id = $2 WHERE id = $1', [campaign, topicId]);
  return topicId;
}

const operations = readOperations();
const isClosed = ({ security }: Operation) => security.length > 0;
const CLOSED_CALLERS = ['admin', 'member', 'key'] as const;

describe('An account', () => {
  let relay: SmtpSink;
  let fixture: DomainFixture;
  let service: TestService;
  let client: RawClient;
  let own: ApiFixtures;
  let other: ApiFixtures;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await DomainFixture.start({ SMTP_URL: relay.url });
    service = fixture.service;
    client = new RawClient(service.url);
    own = await ApiFixtures.create(service, client, operations);
    other = await ApiFixtures.create(service, client, operations);
  });
  afterAll(async () => {
    client.close();
    await fixture.stop();
    await relay.stop();
  });

  /** The same answer with and without the row, which stays as it is. */
  async function expectNoDifference(operation: Operation, withRow: ApiRequest, without: ApiRequest, names: string[]) {
    const before = await checksumsOf(service, other.account.id);
    const said = ({ status, text }: RawAnswer) => ({
      status,
      text: names.reduce((all, id) => all.replaceAll(id, '?'), text),
    });
    for (const caller of CLOSED_CALLERS)
      expect(said(await own.call(operation, caller, withRow))).toEqual(
        said(await own.call(operation, caller, without)),
      );
    expect(await checksumsOf(service, other.account.id)).toEqual(before);
  }

  it('is not named by a public route, unless the route requires a signature or token', () => {
    const open = operations.filter((operation) => !isClosed(operation) && operation.path.includes('{'));
    expect([...new Set(open.map(({ path }) => path))].sort()).toEqual(PROVEN);
  });

  const named = operations.filter((operation) => isClosed(operation) && operation.path.includes('{'));

  it.each(named)('neither finds nor changes a row of another one by $name', async (operation) => {
    const id = await other.idFor(operation);
    const body = own.bodyOf(operation);
    await expectNoDifference(operation, { id, body }, { id: NO_SUCH_ID, body }, [id, NO_SUCH_ID]);
    const [caller] = callersOf(operation);
    expect(await own.call(operation, caller, { id, body })).toMatchObject({ status: 404 });
    const before = await checksumsOf(service, other.account.id);
    const { status } = await other.call(operation, caller, { id, body });
    expect(status).not.toBe(404);
    if (operation.method === 'delete') expect(await checksumsOf(service, other.account.id)).not.toEqual(before);
  });

  it('has a test for each field that may name a row', () => {
    expect(operations.filter(isClosed).flatMap(namesOf).sort()).toEqual(Object.keys(NAMED_ROWS).sort());
  });

  const rowFields = Object.entries(NAMED_ROWS).flatMap(([name, make]) => (make ? [{ name, make }] : []));

  it.each(rowFields)('is refused a row of another one, or sees nothing of it, by $name', async ({ name, make }) => {
    const operation = operations.find((one) => name.startsWith(`${one.name} `))!;
    const field = name.slice(operation.name.length + 1);
    const row = await make(other);
    const missing = NO_SUCH_ID.replace('c', row.charAt(0));
    const request = (of: ApiFixtures, target: string, id: string): ApiRequest => {
      if (operation.method === 'get') return { id: target, query: `${field}=${id}` };
      const value = field.endsWith('Ids') ? [id] : id;
      return { id: target, body: toJson(withField(JSON.parse(of.bodyOf(operation)!), field.split('.'), value)) };
    };
    const targetOf = (of: ApiFixtures) => (operation.path.includes('{') ? of.idFor(operation) : NO_SUCH_ID);
    const [ours, theirs] = [await targetOf(own), await targetOf(other)];
    await expectNoDifference(operation, request(own, ours, row), request(own, ours, missing), [row, missing]);
    const [caller] = callersOf(operation);
    const [without, withRow] = [
      await other.call(operation, caller, request(other, theirs, missing)),
      await other.call(operation, caller, request(other, theirs, row)),
    ];
    expect(withRow.text.replaceAll(row, '?')).not.toBe(without.text.replaceAll(missing, '?'));
  });

  describe('learns nothing about another one', () => {
    let foreign: string[];

    beforeAll(async () => {
      // A row that cannot be made fails the test of its route above.
      for (const operation of named) await other.idFor(operation).catch(() => undefined);
      foreign = await idsOf(service, other.account.id);
    });

    const lists = operations.filter((one) => isClosed(one) && one.method === 'get' && !one.path.includes('{'));

    it.each(lists)('by $name', async (operation) => {
      const queries = ['search=example', ...(await cursors(operation))].filter((query) =>
        operation.parameters.some(({ name }) => query.startsWith(`${name}=`)),
      );
      for (const caller of CLOSED_CALLERS) {
        for (const query of ['', ...queries]) {
          const { text } = await own.call(operation, caller, { query });
          expect(foreign.filter((id) => text.includes(id))).toEqual([]);
        }
      }
    });
  });

  /** Where the other account's list goes on. */
  async function cursors(operation: Operation): Promise<string[]> {
    const { text } = await other.call(operation, 'admin', { query: 'limit=1' });
    const { nextCursor } = JSON.parse(text.startsWith('{') ? text : '{}') as { nextCursor?: string | null };
    return nextCursor ? [`cursor=${nextCursor}`] : [];
  }

  it('cannot report events to another one', async () => {
    for (const { account } of [own, other])
      await account
        .asAdmin('patch', '/api/settings')
        .send({ smtp: { host: 'smtp.example.com', port: 587, eventSigningKey: `the key of ${account.id}` } })
        .expect(200);
    const operation = operations.find(({ path }) => path === '/api/provider-events/smtp/{accountId}')!;
    const messageLogId = await other.rowOf('/api/send/transactional');
    const { body, headers } = SIGN.generic({
      id: 'e1',
      type: 'bounced',
      messageLogId,
      occurredAt: new Date(),
      data: { bounceType: 'hard' },
    });
    const before = await checksumsOf(service, other.account.id);
    expect(await own.call(operation, 'nobody', { id: other.account.id, body, headers })).toMatchObject({ status: 403 });
    expect(await checksumsOf(service, other.account.id)).toEqual(before);
  });
});

/** Who may call it, the mightiest first. */
const callersOf = ({ security }: Operation): [CallerName, ...CallerName[]] =>
  security.includes('session') ? ['admin', 'key'] : ['key'];

function namesOf({ name, body, parameters }: Operation): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => [parameter.name]);
  return idFieldsOf([...inQuery, ...(body ? fieldsOf(body.schema) : [])]).map((field) => `${name} ${field}`);
}
