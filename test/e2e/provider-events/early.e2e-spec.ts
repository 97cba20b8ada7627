import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MatchEvents } from '../../../src/modules/provider-events/application/match-events.service.js';
import type { TestAccount } from '../../support/account.js';
import { insertMessages } from '../../support/message-rows.js';
import { ProviderEvents, sample } from '../../support/provider-events.js';

const BOUNCE = sample<{ mail: { messageId: string } }>('ses/event-publishing-bounce-record.json');
const CLICK = sample<{ mail: { messageId: string } }>('ses/event-publishing-click-record.json');
const SUBSCRIPTION = sample<{ mail: { messageId: string } }>('ses/event-publishing-subscription-record.json');

describe('An event that arrives before its message is recorded as sent', () => {
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    account = await events.openAccount();
    await events.service.query('DELETE FROM unmatched_events');
  });

  const matchEvents = () => events.service.app.get(MatchEvents, { strict: false });
  const matchAfter = (seconds: number) => {
    events.service.clock.advance({ seconds });
    return events.match();
  };
  const post = async (message: object) => {
    expect((await events.postSes(account, message)).status).toBe(200);
  };

  it('is matched with its message some seconds later, once', async () => {
    const id = await events.addMessage(account);
    for (const message of [BOUNCE, CLICK, BOUNCE]) await post(message);
    expect(await events.unmatched(account)).toHaveLength(2);
    expect(await matchAfter(10)).toEqual([]);
    expect(await events.state(account, id)).toMatchObject({ status: 'sent', events: [] });

    await events.provide(id, BOUNCE.mail.messageId);
    const found = await Promise.all([matchAfter(10), events.match()]);
    expect(found.flat()).toHaveLength(2);
    await post(BOUNCE);
    expect(await events.state(account, id)).toMatchObject({ status: 'bounced', clicks: 1, events: [{}, {}] });
    expect(await events.suppressions(account)).toMatchObject([{ address: 'ada@example.org', reason: 'bounced' }]);
    expect(await events.outbox(account)).toHaveLength(1);
    expect(await events.unmatched(account)).toEqual([]);
  });

  it('may have been repeated and matched meanwhile', async () => {
    const id = await events.addMessage(account);
    await post(BOUNCE);
    await events.provide(id, BOUNCE.mail.messageId);
    await post(BOUNCE);
    await matchAfter(10);
    expect(await events.state(account, id)).toMatchObject({ events: [{ type: 'bounced' }] });
    expect(await events.unmatched(account)).toEqual([]);
    expect(await events.outbox(account)).toHaveLength(1);
  });

  it('may be a notice of unsubscription', async () => {
    const id = await events.addMessage(account);
    await post(SUBSCRIPTION);
    expect(await events.suppressions(account)).toEqual([]);
    await events.provide(id, SUBSCRIPTION.mail.messageId);
    await matchAfter(10);
    await post(SUBSCRIPTION);
    expect(await events.suppressions(account)).toMatchObject([{ reason: 'unsubscribed', messageLogId: id }]);
    expect(await events.outbox(account)).toHaveLength(1);
  });

  it('is matched at once by the message id while the message is still being submitted', async () => {
    const [id = ''] = await insertMessages(events.service, account.id, [{ status: 'sending' }]);
    await post({ ...BOUNCE, mail: { ...BOUNCE.mail, tags: { message_id: [id] } } });
    expect(await events.state(account, id)).toMatchObject({ status: 'bounced', events: [{ type: 'bounced' }] });
  });

  it('does not restore a suppression that was lifted', async () => {
    await events.addMessage(account, { providerMessageId: BOUNCE.mail.messageId });
    await post(BOUNCE);
    await post(SUBSCRIPTION);
    await events.service.query('DELETE FROM suppressions');
    await post(BOUNCE);
    await post(SUBSCRIPTION);
    expect(await events.suppressions(account)).toEqual([]);
  });

  it('expires after a day', async () => {
    const id = await events.addMessage(account);
    await post(BOUNCE);
    expect(await matchEvents().purgeExpired()).toEqual([]);
    events.service.clock.advance({ days: 1, seconds: 1 });
    expect(await matchEvents().purgeExpired()).toEqual([{ provider: 'ses', count: 1 }]);
    await events.provide(id, BOUNCE.mail.messageId);
    await matchAfter(10);
    expect(await events.state(account, id)).toMatchObject({ status: 'sent', events: [] });
  });
});
