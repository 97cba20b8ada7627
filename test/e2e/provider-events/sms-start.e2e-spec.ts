import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { StoreReply } from '../../../src/modules/provider-events/application/store-reply.service.js';
import { SuppressAddresses } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { consentsOf, recordConsent, standingOf } from '../../support/consents.js';
import type { ProviderEvents } from '../../support/provider-events.js';
import { raceBehind } from '../../support/race.js';
import { FROM, OK, SmsReplies, TO } from '../../support/sms-replies.js';

const STOP = {
  ...{ from: FROM, to: TO, body: 'STOP', providerMessageId: 'stop', previousProviderMessageId: null },
  request: 'stop',
} as const;

describe('The reply START', () => {
  let fixture: SmsReplies;
  let events: ProviderEvents;
  let account: TestAccount;
  let storeReply: StoreReply;

  beforeAll(async () => {
    fixture = await SmsReplies.start();
    ({ events } = fixture);
    storeReply = events.service.app.get(StoreReply, { strict: false });
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    events.aws.reset();
    account = await fixture.open();
  });

  const reply = (fields: object) => fixture.reply({ previousPublishedMessageId: undefined, ...fields });
  /** The time of the provider, which differs by so many seconds from that of the service. */
  const at = (seconds: number) => ({ timestamp: new Date(Date.now() + seconds * 1_000) });
  const stop = (seconds = 0, to = account) => fixture.post(to, reply({ messageBody: 'STOP' }), at(seconds));
  const start = (seconds = 1, fields: object = {}) =>
    fixture.post(account, reply({ messageBody: 'Start.', ...fields }), at(seconds));
  const block = () => account.asAdmin('post', '/api/suppressions').send({ phone: FROM });
  const standing = () => standingOf(account, { phone: FROM });

  it('restores the consent that STOP has withdrawn, and lifts its suppression, in that account alone', async () => {
    const other = await fixture.open();
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop();
    await stop(0, other);
    expect(await standing()).toBe('withdrawn');
    expect(await start()).toEqual(OK);
    expect(await events.suppressions(account)).toEqual([]);
    expect(await standing()).toBe('granted');
    const records = await consentsOf(account, { phone: FROM });
    expect(records.map(({ action, source }) => `${action} ${source}`)).toEqual([
      ...['granted sms', 'withdrawn sms', 'granted dashboard'],
    ]);
    expect(records[0]!.actor).toEqual({ type: 'person', id: null });
    expect(await events.suppressions(other)).toHaveLength(1);
    expect(await standingOf(other, { phone: FROM })).toBe('withdrawn');
  });

  it('grants nothing to whom nothing was granted', async () => {
    await stop();
    await start();
    expect(await events.suppressions(account)).toEqual([]);
    expect(await standing()).toBe('withdrawn');
  });

  it.each(['before', 'after'])('does not lift what an operator has blocked %s the opt-out', async (order) => {
    if (order === 'before') await block().expect(201);
    await stop();
    if (order === 'after') await block().expect(200);
    await start();
    expect(await events.suppressions(account)).toMatchObject([{ address: FROM, reason: 'sms_opt_out' }]);
  });

  it('does not lift a bounce, nor what only the list of the provider says', async () => {
    await stop();
    for (const cause of [`reason = 'bounced'`, `source = 'sms_sync', reason = 'sms_opt_out'`]) {
      await events.service.query(`UPDATE suppressions SET ${cause} WHERE account_id = $1`, [account.id]);
      await start();
      expect(await events.suppressions(account)).toHaveLength(1);
    }
  });

  it('restores consent also after the number was synchronised for hours, which records nothing', async () => {
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop();
    const entry = { accountId: account.id, channel: 'sms', address: FROM, reason: 'sms_opt_out' } as const;
    for (const hours of [2, 4]) {
      events.service.clock.advance({ hours });
      await events.service.app.get(SuppressAddresses, { strict: false }).suppress([{ ...entry, source: 'sms_sync' }]);
    }
    await start(6 * 3_600);
    events.service.clock.reset();
    expect([await events.suppressions(account), await standing()]).toEqual([[], 'granted']);
  });

  it('changes nothing if it was sent before the opt-out, or to another number', async () => {
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop();
    await start(-60);
    await start(1, { destinationNumber: '+12125550999' });
    expect(await events.suppressions(account)).toHaveLength(1);
    expect(await standing()).toBe('withdrawn');
  });

  it('changes nothing if it was sent before the last opt-out, and came after it', async () => {
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop();
    await stop(10);
    await start(5);
    expect(await events.suppressions(account)).toHaveLength(1);
    expect(await standing()).toBe('withdrawn');
    await start(20);
    expect(await events.suppressions(account)).toEqual([]);
  });

  describe('sent before an opt-out of which the time of the provider is not known', () => {
    const forgetTimes = () =>
      events.service.query('UPDATE sms_replies SET request = NULL, requested_at = NULL WHERE account_id = $1', [
        account.id,
      ]);
    /** As if a message to the number had been refused because of it. */
    const refuse = () =>
      events.service.app
        .get(SuppressAddresses, { strict: false })
        .suppress([
          { accountId: account.id, channel: 'sms', address: FROM, reason: 'sms_opt_out', source: 'provider' },
        ]);

    it.each([
      ['a reply of a release that did not store it', [() => stop(), forgetTimes]],
      ['a refused message', [refuse]],
      ['a refused message, after STOP and START', [() => stop(-90), () => start(-80), refuse]],
    ])('changes nothing: %s', async (_, steps) => {
      await recordConsent(account, { phone: FROM }).expect(201);
      for (const step of steps) await step();
      await start(-60);
      expect([await events.suppressions(account), await standing()]).toMatchObject([[{ address: FROM }], 'withdrawn']);
      await start(60);
      expect([await events.suppressions(account), await standing()]).toEqual([[], 'granted']);
    });
  });

  it('counts once, however often it is reported', async () => {
    const one = reply({ messageBody: 'START' });
    await stop();
    await fixture.post(account, one, at(1));
    await stop(2);
    await fixture.post(account, one, at(3));
    expect(await events.suppressions(account)).toHaveLength(1);
  });

  it.each([-300, 0, 300])('and STOP count in the order in which they were sent, by a clock %d s off', async (off) => {
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop(off);
    await start(off + 1);
    expect([await events.suppressions(account), await standing()]).toEqual([[], 'granted']);
    await stop(off + 3);
    await start(off + 2);
    expect([await events.suppressions(account), await standing()]).toMatchObject([[{ address: FROM }], 'withdrawn']);
    await start(off + 5);
    await stop(off + 4);
    expect([await events.suppressions(account), await standing()]).toEqual([[], 'granted']);
  });

  it.each([
    ['after', 2, 'granted'],
    ['before', 1, 'withdrawn'],
  ])('sent %s a STOP that is being stored waits for it, and counts by that', async (_, seconds, state) => {
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop(-1);
    const times = { receivedAt: new Date(), sentAt: at(3 - seconds).timestamp };
    const rules = { wantsEvents: false, isOwnNumber: true, stopWords: [] };
    const storeStop = () => storeReply.store(account.id, STOP, times, rules);
    await raceBehind(events.service, storeStop, [() => start(seconds)]);
    expect(await standing()).toBe(state);
    expect(await events.suppressions(account)).toHaveLength(state === 'granted' ? 0 : 1);
  });

  it('to another number, sent after a STOP, does not undo it', async () => {
    await start(2, { destinationNumber: '+12125550999' });
    await stop(1);
    expect(await events.suppressions(account)).toHaveLength(1);
  });
});
