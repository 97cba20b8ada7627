import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { recordConsent } from '../../support/consents.js';
import { FormFixture, type TestForm } from '../../support/form-fixture.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'ada@example.com';
const WORDING = 'I want product news.';

describe('The version of a form that somebody agrees to', () => {
  let service: TestService;
  let fixture: FormFixture;
  let news: string;
  let offers: string;
  let form: TestForm;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    fixture = await FormFixture.open(service);
    [news, offers] = [await createTopic('News'), await createTopic('Offers')];
    form = await fixture.createForm({ wording: WORDING, topicIds: [news] });
  });

  async function createTopic(name: string): Promise<string> {
    const topic = { name, visibility: 'public', byDefault: 'out' };
    return (await fixture.account.asAdmin('post', '/api/topics').send(topic).expect(201)).body.id as string;
  }
  const change = async (changes: object) =>
    (await fixture.account.asAdmin('patch', `/api/forms/${form.id}`).send(changes).expect(200)).body as TestForm;
  const agreedTo = async () =>
    (await fixture.consentsOf(EMAIL)).map(({ action, topicId, wording }) => [action, topicId, wording]);

  it.each([{ topics: 'none' }, { topics: 'others' }])(
    'is that of the submission, with its topics, if the form has $topics when it is confirmed',
    async ({ topics }) => {
      const path = await fixture.linkFor(form, EMAIL);
      expect(await change({ topicIds: topics === 'none' ? [] : [news, offers] })).toMatchObject({ wordingVersion: 2 });
      await fixture.confirm(path).expect(200);
      const words = { version: 1, text: WORDING };
      expect(await agreedTo()).toEqual([
        ['granted', news, words],
        ['requested', news, words],
      ]);
    },
  );

  it('is the one that the page showed, although the form was changed before it was sent', async () => {
    const { text } = await fixture.open(`/f/${form.id}`).expect(200);
    expect(text).toContain('<input type="hidden" name="wordingVersion" value="1">');
    await change({ wording: 'I want everything.', topicIds: [offers] });
    await fixture.subscribe(form, EMAIL, { wordingVersion: '1' });
    expect((await agreedTo())[0]).toEqual(['granted', news, { version: 1, text: WORDING }]);
  });

  it.each(['0', '3', '-1', '1.5', '4294967297', 'x', ''])('is the current one for the version %j', async (version) => {
    await change({ topicIds: [offers] });
    await fixture.subscribe(form, EMAIL, { wordingVersion: version });
    expect((await agreedTo())[0]).toEqual(['granted', offers, { version: 2, text: WORDING }]);
  });

  it.each([{ count: 1 }, { count: 2 }])(
    'is also what one click in the welcome mail unsubscribes from, if it has one topic: $count',
    async ({ count }) => {
      const topicIds = [news, offers].slice(0, count);
      const templateId = await fixture.createTemplate({ text: 'Welcome' });
      await change({ topicIds, welcome: { templateId } });
      await fixture.subscribe(form, EMAIL);
      await fixture.process();
      const [, welcome] = await fixture.mailsTo(EMAIL);
      const path = new URL(welcome!.unsubscribeUrl).pathname;
      await service.request('post', path).type('form').send({ 'List-Unsubscribe': 'One-Click' }).expect(200);
      const [withdrawn] = await fixture.consentsOf(EMAIL);
      expect(withdrawn).toMatchObject({ action: 'withdrawn', topicId: count === 1 ? news : null });
    },
  );

  it('is what somebody may leave before the welcome mail, which is then not sent', async () => {
    await change({ welcome: { templateId: await fixture.createTemplate({ text: 'Welcome' }) } });
    await fixture.subscribe(form, EMAIL);
    service.clock.advance({ seconds: 1 });
    await recordConsent(fixture.account, { email: EMAIL, topicId: news, action: 'withdrawn' }).expect(201);
    await fixture.process();
    expect(await fixture.mailsTo(EMAIL)).toHaveLength(1);
    const due = 'SELECT FROM form_signups WHERE account_id = $1 AND due_at IS NOT NULL';
    expect(await service.query(due, [fixture.account.id])).toEqual([]);
  });

  it('stays the same if neither the words nor the topics change', async () => {
    await change({ topicIds: [news, offers] });
    const same = { name: 'Other', wording: WORDING, topicIds: [offers, news] };
    expect(await change(same)).toMatchObject({ name: 'Other', wordingVersion: 2 });
  });

  it('records what was agreed to about a topic that was deleted before the confirmation', async () => {
    await change({ topicIds: [news, offers] });
    const path = await fixture.linkFor(form, EMAIL);
    await fixture.account.asAdmin('delete', `/api/topics/${offers}`).expect(200);
    await fixture.confirm(path).expect(200);
    expect((await agreedTo()).map(([action, topicId]) => [action, topicId])).toEqual([
      ['granted', offers],
      ['requested', offers],
      ['granted', news],
      ['requested', news],
    ]);
    expect(await fixture.eventsOf('contact.subscribed')).toMatchObject([{ topicIds: [news, offers] }]);
  });

  it('records no consent to everything if all its topics were deleted', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    await fixture.account.asAdmin('delete', `/api/topics/${news}`).expect(200);
    await fixture.confirm(path).expect(200);
    expect((await agreedTo()).map(({ 1: topicId }) => topicId)).toEqual([news, news]);
    expect(await fixture.contactOf(EMAIL)).toMatchObject({ status: 'active' });
  });
});
