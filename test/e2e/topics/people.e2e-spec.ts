import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { recordConsent } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { TestService } from '../../support/service.js';
import { addTopic } from '../../support/topics.js';

const NOBODY_ID = 'c123456789012345678901234';

describe('The contacts of a topic', () => {
  let service: TestService;
  let account: TestAccount;
  let topicId: string;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    account = await service.createAccount();
    topicId = (await addTopic(account)).id;
    for (const name of ['ada', 'bob', 'cyd', 'dan', 'eve'])
      await account
        .asAdmin('post', '/api/contacts')
        .send({ email: `${name}@example.com` })
        .expect(201);
  });

  const record = (name: string, fields: object, of = account) =>
    recordConsent(of, { email: `${name}@example.com`, ...fields }).expect(201);
  const withdraw = (name: string, fields: object) => record(name, { action: 'withdrawn', ...fields });
  const count = (query: object, of = account) =>
    of.asMember('get', '/api/contacts/consent-coverage').query(query).expect('Cache-Control', 'no-store');
  const counted = async () => (await count({ topicId }).expect(200)).body;

  it('are counted by their own consent, or else by the default, in and out', async () => {
    expect(await counted()).toEqual({ active: 0, withoutConsent: 5, outOfTopic: 0 });
    await record('ada', { topicId });
    await record('bob', {});
    await withdraw('cyd', { topicId });
    await withdraw('dan', {});
    expect(await counted()).toEqual({ active: 2, withoutConsent: 1, outOfTopic: 2 });
    await account.asAdmin('patch', `/api/topics/${topicId}`).send({ byDefault: 'out' }).expect(200);
    expect(await counted()).toEqual({ active: 2, withoutConsent: 0, outOfTopic: 3 });
  });

  it('are listed, exported and filtered further', async () => {
    await withdraw('cyd', { topicId });
    await withdraw('dan', {});
    await record('eve', { topicId });
    const list = async (query: object, of = account) =>
      (await of.asMember('get', '/api/contacts').query(query).expect(200)).body as {
        items: { email: string }[];
        total: number;
      };
    const names = async (query: object) => (await list(query)).items.map(({ email }) => email.split('@', 1)[0]);
    expect(await list({ topicId, limit: 1 })).toMatchObject({ total: 3, items: [{ email: 'eve@example.com' }] });
    expect(await names({ topicId })).toEqual(['eve', 'bob', 'ada']);
    expect(await names({ topicId, search: 'b@' })).toEqual(['bob']);
    const csv = await account.asMember('get', '/api/contacts/export.csv').query({ topicId }).expect(200);
    expect(csv.text.trim().split('\n')).toHaveLength(4);
    await account.asAdmin('patch', `/api/topics/${topicId}`).send({ byDefault: 'out' }).expect(200);
    expect(await names({ topicId })).toEqual(['eve']);
    const other = await service.createAccount();
    for (const unknown of [NOBODY_ID, 'x'])
      await account.asMember('get', '/api/contacts').query({ topicId: unknown }).expect(400);
    await other
      .asMember('get', '/api/contacts')
      .query({ topicId })
      .expect(400, badRequest(`topicId: there is no topic ${topicId}`));
  });

  it('are counted by the later of two consents, and not by those to other topics and purposes', async () => {
    const offers = (await addTopic(account, { name: 'Offers' })).id;
    await withdraw('ada', {});
    await record('ada', { topicId });
    await withdraw('bob', { topicId: offers });
    await record('cyd', { purpose: 'tracking' });
    expect(await counted()).toEqual({ active: 1, withoutConsent: 4, outOfTopic: 0 });
  });

  it('are not counted while they are suppressed', async () => {
    await withdraw('ada', { topicId });
    for (const name of ['ada', 'bob'])
      await account
        .asAdmin('post', '/api/suppressions')
        .send({ email: `${name}@example.com` })
        .expect(201);
    expect(await counted()).toEqual({ active: 0, withoutConsent: 3, outOfTopic: 0 });
  });

  it('are counted also once it was deleted, and not for a topic that the account has never had', async () => {
    await withdraw('ada', { topicId });
    await account.asAdmin('delete', `/api/topics/${topicId}`).expect(200);
    expect(await counted()).toEqual({ active: 0, withoutConsent: 4, outOfTopic: 1 });
    const other = await service.createAccount();
    await count({ topicId }, other).expect(400, badRequest(`topicId: there is no topic ${topicId}`));
    await count({ topicId: NOBODY_ID }).expect(400, badRequest(`topicId: there is no topic ${NOBODY_ID}`));
    await count({ topicId: 'news' }).expect(400, badRequest('topicId must be the id of a topic'));
  });
});
