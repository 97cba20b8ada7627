import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { consentsOf } from '../../support/consents.js';
import { TestService } from '../../support/service.js';
import { addTopic } from '../../support/topics.js';

const EMAIL = 'ada@example.org';
const MESSAGE_ID = 'c123456789012345678901234';
const ONE_CLICK = 'List-Unsubscribe=One-Click';

describe('A post to the link of a mail with a topic', () => {
  let service: TestService;
  let account: TestAccount;
  let news: string;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    account = await service.createAccount();
    news = (await addTopic(account)).id;
  });

  const pathFor = (topicId: string | null) => {
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    return new URL(links.linkTo({ accountId: account.id, messageId: MESSAGE_ID, email: EMAIL, topicId })).pathname;
  };
  const open = async (topicId: string) => (await service.request('get', pathFor(topicId)).expect(200)).text;
  const post = async (topicId: string | null, body: string) => {
    const type = 'application/x-www-form-urlencoded';
    return (await service.request('post', pathFor(topicId)).set('Content-Type', type).send(body).expect(200)).text;
  };
  const suppress = () => account.asAdmin('post', '/api/suppressions').send({ email: EMAIL }).expect(201);
  const suppressions = async () =>
    (await account.asMember('get', '/api/suppressions').expect(200)).body.items as { id: string; reason: string }[];

  it.each([
    ['nothing', ''],
    ['an unknown action', 'action=unsubscribe'],
    ['one click in other letters', 'list-unsubscribe=one-click'],
    ['no fields', '{"a":1}'],
  ])('withdraws the topic alone if it posts %s, and suppresses nothing', async (_, body) => {
    expect(await post(news, body)).toContain('<h1>You are unsubscribed from Newsletter</h1>');
    expect(await consentsOf(account)).toMatchObject([{ action: 'withdrawn', source: 'one_click', topicId: news }]);
    expect(await suppressions()).toEqual([]);
  });

  it('is recorded again after an hour: what is imported from in between does not stand', async () => {
    for (const minutes of [0, 50, 50]) {
      service.clock.advance({ minutes });
      await post(news, ONE_CLICK);
    }
    service.clock.reset();
    expect(await consentsOf(account, { action: 'withdrawn' })).toHaveLength(2);
  });

  it('withdraws the topic alone without a body or a type', async () => {
    expect((await fetch(service.url + pathFor(news), { method: 'POST' })).status).toBe(200);
    expect(await consentsOf(account)).toMatchObject([{ action: 'withdrawn', topicId: news }]);
    expect(await suppressions()).toEqual([]);
  });

  it('unsubscribes from everything with the action of the button, as does any for a mail without a topic', async () => {
    for (const [topicId, body] of [
      [news, 'action=everything'],
      [null, ''],
      [null, ONE_CLICK],
    ] as const) {
      expect(await post(topicId, body)).toContain('<h1>You are unsubscribed</h1>');
      const [entry] = await suppressions();
      expect(entry).toMatchObject({ reason: 'unsubscribed' });
      await account.asAdmin('delete', `/api/suppressions/${entry!.id}`).expect(200);
    }
    expect(await open(news)).not.toContain(`name="in" value="${news}" checked`);
  });

  it('comes with that action from the page of a suppressed address, which has nothing to choose', async () => {
    await suppress();
    expect(await open(news)).toContain('<button type="submit" name="action" value="everything">Unsubscribe</button>');
    await post(news, 'action=everything');
    expect(await suppressions()).toMatchObject([{ reason: 'unsubscribed' }]);
  });
});
