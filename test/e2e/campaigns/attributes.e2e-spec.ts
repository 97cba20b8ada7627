import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { recordConsent } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'hello@example.org';
const LINK = '<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>';

describe('Attributes in a campaign', () => {
  let relay: RelayFixture;
  let account: TestAccount;
  let fixture: CampaignFixture;
  let listId: string;

  beforeAll(async () => {
    relay = await RelayFixture.start();
  });
  afterAll(() => relay.stop());
  beforeEach(async () => {
    relay.relay.reset();
    account = await relay.service.createAccount();
    await account.verifySender(SENDER);
    fixture = CampaignFixture.forAccount(relay.service, account);
    listId = await fixture.addList('Readers');
  });

  const add = (email: string, attributes?: object) => fixture.addContact(email, { attributes, listIds: [listId] });
  const mailTo = (address: string) =>
    relay.relay.received().find(({ parsed }) => [parsed.to].flat().some((to) => to?.text === address))!.parsed;

  it('are shown to each recipient, in all parts and sections', async () => {
    await add('ada@example.com', { city: 'Bern\nWest', visits: 3, vip: true });
    await add('bob@example.com', { city: '', visits: 0, vip: false });
    await add('cleo@example.com');
    const html =
      '<p>{{attributes.city}}|{{attributes.visits}}|{{#attributes.vip}}VIP {{attributes.vip}}{{/attributes.vip}}' +
      `{{^attributes.vip}}plain{{/attributes.vip}}|{{attributes.team}}</p>${LINK}`;
    const { id } = await fixture.create({
      ...{ subject: 'News from {{attributes.city}}', html, audience: { listIds: [listId] } },
      variables: { attributes: { city: 'somewhere', team: 'red' } },
    });
    await fixture.act(id, 'start').expect(200);
    await fixture.untilStatus(id, 'completed');
    const [ada, bob, cleo] = ['ada', 'bob', 'cleo'].map((name) => mailTo(`${name}@example.com`));
    expect([ada, bob, cleo].map((mail) => mail?.subject)).toEqual([
      'News from Bern West',
      'News from somewhere',
      'News from somewhere',
    ]);
    expect(ada?.html).toContain('<p>Bern\nWest|3|VIP true|red</p>');
    expect(bob?.html).toContain('<p>somewhere|0|plain|red</p>');
    expect(cleo?.html).toContain('<p>somewhere||plain|red</p>');
    expect(ada?.text).toContain('|3|VIP true|red');
    expect(bob?.text).toContain('somewhere|0|plain|red');
    expect(cleo?.text).toContain('somewhere||plain|red');
    const stored = await relay.service.query<{ placeholders: object }>(
      `SELECT c.placeholders FROM message_contents c JOIN message_logs m ON m.id = c.message_id
       WHERE m.account_id = $1 AND m.recipient = 'bob@example.com'`,
      [account.id],
    );
    expect(stored).toEqual([{ placeholders: { 'attributes.visits': 0, 'attributes.vip': false } }]);
  });

  it('are shown by a section of all of them, and in a test', async () => {
    await add('ada@example.com', { city: 'Bern', other: 1 });
    const html = `{{#attributes}}<p>{{city}} {{other}}</p>{{/attributes}}{{^attributes}}<p>none</p>{{/attributes}}${LINK}`;
    const { id } = await fixture.create({ html, audience: { listIds: [listId] } });
    await account
      .asAdmin('post', `/api/campaigns/${id}/test`)
      .send({ to: ['ada@example.com', 'eve@example.com'] })
      .expect(201);
    await fixture.act(id, 'start').expect(200);
    await waitFor('three mails', () => relay.relay.received().length === 3);
    expect(
      relay.relay
        .received()
        .map(({ parsed }) => /<p>(.*?)<\/p>/.exec(String(parsed.html))?.[1])
        .sort(),
    ).toEqual(['Bern 1', 'Bern 1', 'none']);
  });

  it('do not hide the unsubscribe link', async () => {
    await add('ada@example.com', { vip: true });
    for (const html of [
      `{{#attributes.vip}}${LINK}{{/attributes.vip}}`,
      `{{^attributes.vip}}${LINK}{{/attributes.vip}}`,
    ]) {
      const { id } = await fixture.create({ html, audience: { listIds: [listId] } });
      await fixture.act(id, 'start').expect(400, badRequest('html must contain {{unsubscribeUrl}}'));
    }
  });

  describe('that recipients lack', () => {
    const missing = async (id: string) =>
      (await account.asMember('get', `/api/campaigns/${id}/missing-values`).expect(200)).body.items;

    it('are counted, before and at the start', async () => {
      await add('ada@example.com', { city: 'Bern', level: 1 });
      await add('bob@example.com', { city: '' });
      await fixture.addContact('cleo@example.com', { firstName: 'Cleo', listIds: [listId] });
      await fixture.addContact('gone@example.com', { status: 'unsubscribed', listIds: [listId] });
      const html =
        '{{title}} {{firstName}} {{company}} {{email}} {{attributes.city}} {{lastName}} ' +
        `{{#attributes.vip}}{{attributes.level}}{{/attributes.vip}} {{title}}${LINK}`;
      const variables = { lastName: 'reader', company: '' };
      const { id } = await fixture.create({ html, variables, audience: { listIds: [listId] } });
      const expected = [
        { name: 'title', recipients: 3 },
        { name: 'firstName', recipients: 2 },
        { name: 'attributes.city', recipients: 2 },
      ];
      expect(await missing(id)).toEqual(expected);
      const { body } = await fixture.act(id, 'start').expect(200);
      expect(body).toMatchObject({ status: 'running', missingValues: expected });
      await fixture.untilStatus(id, 'completed');
      expect(await missing(id)).toEqual(expected);
    });

    it('may have the name of what every object has', async () => {
      await add('ada@example.com');
      const html = `{{constructor}}{{toString}}{{valueOf}}${LINK}`;
      const { id } = await fixture.create({ html, audience: { listIds: [listId] } });
      const expected = ['constructor', 'toString', 'valueOf'].map((name) => ({ name, recipients: 1 }));
      expect(await missing(id)).toEqual(expected);
      expect((await fixture.act(id, 'start').expect(200)).body.missingValues).toEqual(expected);
    });

    it('are counted for those with consent alone, if campaigns require it', async () => {
      for (const name of ['ada', 'bob', 'cleo']) await add(`${name}@example.com`);
      await recordConsent(account, { email: 'ada@example.com' }).expect(201);
      await recordConsent(account, { email: 'bob@example.com' }).expect(201);
      await recordConsent(account, { email: 'bob@example.com', action: 'withdrawn' }).expect(201);
      const html = `{{attributes.city}}${LINK}`;
      const { id } = await fixture.create({ html, audience: { listIds: [listId] } });
      expect(await missing(id)).toEqual([{ name: 'attributes.city', recipients: 3 }]);
      await account
        .asAdmin('patch', '/api/settings')
        .send({ consent: { requiredFor: 'campaigns' } })
        .expect(200);
      const expected = [{ name: 'attributes.city', recipients: 1 }];
      expect(await missing(id)).toEqual(expected);
      expect((await fixture.act(id, 'start').expect(200)).body.missingValues).toEqual(expected);
    });

    it('are counted for the first 20 placeholders, however many there are', async () => {
      await add('ada@example.com', { k1: 1 });
      const names = Array.from({ length: 60 }, (_, i) => `attributes.k${i}`);
      const html = names.map((name) => `{{${name}}}`).join('') + LINK;
      const { id } = await fixture.create({ html, audience: { listIds: [listId] } });
      const expected = names.slice(0, 20).filter((name) => name !== 'attributes.k1');
      expect((await missing(id)).map(({ name }: { name: string }) => name)).toEqual(expected);
    });

    it('are none without placeholders, without recipients, and of other accounts', async () => {
      await add('ada@example.com');
      const { id } = await fixture.create({ audience: { listIds: [listId] } });
      expect(await missing(id)).toEqual([]);
      const { id: empty } = await fixture.create({ html: `{{title}}${LINK}` });
      expect(await missing(empty)).toEqual([]);
      const other = await relay.service.createAccount();
      await other.asAdmin('get', `/api/campaigns/${id}/missing-values`).expect(404);
    });

    it('are those of the content that was started, whatever became of the template', async () => {
      await add('ada@example.com');
      const template = { name: 'T', subject: 'Hi {{firstName}}', html: LINK };
      const { body: saved } = await account.asAdmin('post', '/api/templates').send(template).expect(201);
      const plan = { subject: null, html: null, templateId: saved.id, audience: { listIds: [listId] } };
      const { id } = await fixture.create(plan);
      await fixture.act(id, 'start').expect(200);
      await account.asAdmin('delete', `/api/templates/${saved.id}`).expect(200);
      expect(await missing(id)).toEqual([{ name: 'firstName', recipients: 1 }]);
    });
  });
});
