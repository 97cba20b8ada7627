import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { insertMessages } from '../../support/message-rows.js';
import { ProviderEvents, sample } from '../../support/provider-events.js';

interface Notification {
  mail: { messageId: string };
}
const sampleOf = (name: string) => sample<Notification>(`ses/event-publishing-${name}-record.json`);
const BOUNCE = sampleOf('bounce');
const COMPLAINT = sampleOf('complaint');
const SUBSCRIPTION = sampleOf('subscription');
const REASONS: [string, Notification, string][] = [
  ['hard bounce', BOUNCE, 'bounced'],
  ['complaint', COMPLAINT, 'complained'],
  ['unsubscription', SUBSCRIPTION, 'unsubscribed'],
];
const RECIPIENT = 'recipient@example.com';

describe('An event that matches no message', () => {
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    account = await events.openAccount();
  });

  const tagged = (notification: Notification, tags: object) => ({
    ...notification,
    mail: { ...notification.mail, tags },
  });
  const naming = (notification: Notification, id: string) => tagged(notification, { message_id: [id] });
  const post = async (notification: object) => {
    expect((await events.postSes(account, notification)).status).toBe(200);
  };
  const matchAfter = (seconds: number) => {
    events.service.clock.advance({ seconds });
    return events.match();
  };
  const liftAll = async () => {
    const { body } = await account.asAdmin('get', '/api/suppressions').expect(200);
    for (const { id } of body.items as { id: string }[])
      await account.asAdmin('delete', `/api/suppressions/${id}`).expect(200);
  };

  it('is matched by the provider id if no message has the other id', async () => {
    const id = await events.addMessage(account, { providerMessageId: BOUNCE.mail.messageId });
    await post(naming(BOUNCE, newId(new Date())));
    await post(BOUNCE);
    expect(await events.state(account, id)).toMatchObject({ status: 'bounced', events: [{ type: 'bounced' }] });
    expect(await events.suppressions(account)).toMatchObject([{ address: 'ada@example.org', messageLogId: id }]);
  });

  it('is matched by the provider id later, too', async () => {
    const id = await events.addMessage(account);
    await post(naming(sampleOf('delivery'), newId(new Date())));
    await events.provide(id, sampleOf('delivery').mail.messageId);
    await matchAfter(10);
    expect(await events.state(account, id)).toMatchObject({ status: 'delivered', events: [{ type: 'delivered' }] });
    expect(await events.unmatched(account)).toEqual([]);
  });

  it.each(REASONS)('suppresses the recipient at once if its message was purged: %s', async (_, one, reason) => {
    const gone = naming(one, newId(new Date('2024-01-01T00:00:00Z')));
    await post(gone);
    expect(await events.suppressions(account)).toEqual([
      { address: RECIPIENT, reason, source: 'provider', messageLogId: null },
    ]);
    expect(await events.outbox(account)).toMatchObject([{ type: `contact.${reason}`, data: { email: RECIPIENT } }]);
    expect(await events.unmatched(account)).toHaveLength(1);

    await liftAll();
    await post(gone);
    await matchAfter(120);
    expect(await events.suppressions(account)).toEqual([]);
  });

  it.each(REASONS)(
    'suppresses the recipient after a minute if it has only a provider id: %s',
    async (_, one, reason) => {
      const unheard = { ...one, mail: { ...one.mail, messageId: `unheard of: ${reason}` } };
      await post(unheard);
      await matchAfter(10);
      expect(await events.suppressions(account)).toEqual([]);
      await matchAfter(60);
      expect(await events.suppressions(account)).toMatchObject([{ address: RECIPIENT, reason }]);
      await liftAll();
      await post(unheard);
      await matchAfter(600);
      expect(await events.suppressions(account)).toEqual([]);
    },
  );

  it('suppresses nobody without a cause', async () => {
    const soft = { eventType: 'Bounce', mail: BOUNCE.mail, bounce: { bounceType: 'Transient' } };
    for (const one of [soft, sampleOf('delivery'), sampleOf('click')]) await post(naming(one, newId(new Date())));
    await matchAfter(120);
    expect(await events.suppressions(account)).toEqual([]);
  });

  it('changes nothing if it belongs to another account', async () => {
    const other = await events.openAccount();
    const theirs = await events.addMessage(other, { providerMessageId: 'known to the other' });
    const mine = await events.addMessage(account, { providerMessageId: BOUNCE.mail.messageId });
    await post(naming(BOUNCE, theirs));
    await post({ ...COMPLAINT, mail: { ...COMPLAINT.mail, messageId: 'known to the other' } });
    const gone = newId(new Date('2024-01-01T00:00:00Z'));
    for (const [, one] of REASONS) await post(tagged(one, { message_id: [gone], account_id: [other.id] }));
    await matchAfter(120);
    for (const [owner, id] of [
      [other, theirs],
      [account, mine],
    ] as const)
      expect(await events.state(owner, id)).toMatchObject({ status: 'sent', events: [] });
    expect([...(await events.suppressions(other)), ...(await events.suppressions(account))]).toEqual([]);
    expect(await events.unmatched(account)).toHaveLength(4); // the bounce is one event
  });

  it('does not change an SMS', async () => {
    const sms = { channel: 'sms', recipient: '+14155550100' } as const;
    const [byOurs = '', byTheirs = ''] = await insertMessages(events.service, account.id, [sms, sms]);
    await events.provide(byTheirs, BOUNCE.mail.messageId);
    await post(naming(BOUNCE, byOurs));
    await post(BOUNCE);
    await post(SUBSCRIPTION);
    await matchAfter(120);
    for (const id of [byOurs, byTheirs])
      expect(await events.state(account, id)).toMatchObject({ status: 'sent', events: [] });
    expect((await events.suppressions(account)).map((entry) => (entry as { address: string }).address)).not.toContain(
      sms.recipient,
    );
  });
});
