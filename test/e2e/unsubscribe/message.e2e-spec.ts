import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { insertMessages } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'ada@example.org';

describe('An unsubscribe link', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const linkOf = (messageId: string) => {
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    return new URL(links.linkTo({ accountId: account.id, messageId, email: EMAIL, topicId: null })).pathname;
  };
  const oneClick = (path: string) =>
    service
      .request('post', path)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send('List-Unsubscribe=One-Click');
  const emitted = () =>
    service.query<{ data: object }>('SELECT data FROM outbox_events WHERE account_id = $1', [account.id]);

  it('reports the contact and the campaign of its message', async () => {
    const [id = ''] = await insertMessages(service, account.id, [{ recipient: EMAIL, campaignId: 'campaign' }]);
    await service.query(`UPDATE message_logs SET contact_id = 'contact' WHERE id = $1`, [id]);
    await oneClick(linkOf(id)).expect(200);
    expect(await emitted()).toMatchObject([{ data: { email: EMAIL, contactId: 'contact', campaignId: 'campaign' } }]);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(body.items).toMatchObject([{ messageLogId: id, contactId: 'contact' }]);
  });

  it('reports none if the message has none, is no longer stored, or belongs to another account', async () => {
    const other = await service.createAccount();
    const [plain = ''] = await insertMessages(service, account.id, [{ recipient: EMAIL }]);
    const [theirs = ''] = await insertMessages(service, other.id, [{ recipient: EMAIL, campaignId: 'campaign' }]);
    for (const id of [plain, theirs, newId(new Date('2020-01-01T00:00:00Z'))]) {
      await service.query('DELETE FROM suppressions');
      await oneClick(linkOf(id)).expect(200);
    }
    const none = { data: { email: EMAIL, contactId: '', campaignId: null } };
    expect(await emitted()).toMatchObject([none, none, none]);
  });

  it('leads to a page that says so if the account was deleted', async () => {
    const path = linkOf(newId(new Date()));
    await service.query('DELETE FROM accounts WHERE id = $1', [account.id]);
    for (const answer of [service.request('get', path), service.request('post', path), oneClick(path)]) {
      const { text } = await answer.expect(404).expect('Content-Type', /^text\/html/);
      expect(text).toContain('<h1>This link does not work</h1>');
    }
    expect(await emitted()).toEqual([]);
  });
});
