import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import { FormFixture, linkIn } from '../../support/form-fixture.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';
import { addTopic } from '../../support/topics.js';

let fixture: WebhookFixture;

beforeAll(async () => {
  fixture = await WebhookFixture.start();
});
afterAll(() => fixture.stop());

it('reports a confirmed sign-up, as its schema describes it, to endpoints that list the event and no other', async () => {
  const forms = await FormFixture.open(fixture.service);
  const { account } = forms;
  const { path } = await fixture.addEndpoint(account, { events: ['contact.subscribed'] });
  const other = await fixture.addEndpoint(account, { events: ['contact.unsubscribed', 'contact.suppressed'] });
  const listIds = [await forms.createList()];
  const form = await forms.createForm({ listIds, fields: ['firstName'] });
  await forms.submit(form, { email: 'Ada@Example.org', firstName: 'Ada' }).expect(200);
  const mail = await waitFor('the mail with the link', async () => (await forms.mailsTo('ada@example.org'))[0]);
  await forms.confirm(linkIn(mail.text)).expect(200);
  await fixture.dispatch();
  const [post] = await fixture.receiver.waitForPosts(1, path);
  const { event, data } = JSON.parse(post!.body) as { event: string; data: Record<string, unknown> };
  const [granted] = await forms.consentsOf('ada@example.org');
  expect(event).toBe('contact.subscribed');
  expect(data).toEqual({
    ...{ email: 'ada@example.org', contactId: granted!.contactId, firstName: 'Ada', lastName: '' },
    ...{ formId: form.id, listIds, topicIds: [], consentIds: [granted!.id] },
  });
  expect(await fixture.deliveries(account, other.id)).toEqual([]);
});

it('reports a topic that somebody has left, as its schema describes it, to endpoints that list the event', async () => {
  const account = await fixture.service.createAccount();
  const { path } = await fixture.addEndpoint(account, { events: ['contact.preferences_changed'] });
  const other = await fixture.addEndpoint(account, { events: ['contact.unsubscribed', 'contact.suppressed'] });
  const { id: topicId } = await addTopic(account);
  const links = fixture.service.app.get(UnsubscribeLinks, { strict: false });
  const target = { accountId: account.id, messageId: account.id, email: 'ada@example.org', topicId };
  const { pathname } = new URL(links.linkTo(target));
  await fixture.service.request('post', pathname).type('form').send('List-Unsubscribe=One-Click').expect(200);
  await fixture.dispatch();
  const [post] = await fixture.receiver.waitForPosts(1, path);
  const { event, data } = JSON.parse(post!.body) as { event: string; data: object };
  expect(event).toBe('contact.preferences_changed');
  const topics = [{ topicId, subscribed: false }];
  expect(data).toEqual({ email: 'ada@example.org', contactId: null, topics, source: 'one_click' });
  expect(await fixture.deliveries(account, other.id)).toEqual([]);
});
