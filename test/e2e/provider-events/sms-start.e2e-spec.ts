import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { consentsOf, recordConsent, standingOf } from '../../support/consents.js';
import type { ProviderEvents } from '../../support/provider-events.js';
import { FROM, OK, SmsReplies } from '../../support/sms-replies.js';

describe('The reply START', () => {
  let fixture: SmsReplies;
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await SmsReplies.start();
    ({ events } = fixture);
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    events.aws.reset();
    account = await fixture.open();
  });

  const reply = (fields: object) => fixture.reply({ previousPublishedMessageId: undefined, ...fields });
  const stop = (to = account) => fixture.post(to, reply({ messageBody: 'STOP' }));
  const start = (seconds = 1, fields: object = {}) =>
    fixture.post(account, reply({ messageBody: 'Start.', ...fields }), {
      timestamp: new Date(Date.now() + seconds * 1_000),
    });
  const block = () => account.asAdmin('post', '/api/suppressions').send({ phone: FROM });
  const standing = () => standingOf(account, { phone: FROM });

  it('restores the consent that STOP has withdrawn, and lifts its suppression, in that account alone', async () => {
    const other = await fixture.open();
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop();
    await stop(other);
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
    events.service.clock.advance({ seconds: 10 });
    await stop();
    await start(5);
    expect(await events.suppressions(account)).toHaveLength(1);
    expect(await standing()).toBe('withdrawn');
    await start(20);
    expect(await events.suppressions(account)).toEqual([]);
  });

  it('counts once, however often it is reported', async () => {
    const timestamp = new Date(Date.now() + 1_000);
    const one = reply({ messageBody: 'START' });
    await stop();
    await fixture.post(account, one, { timestamp });
    await stop();
    await fixture.post(account, one, { timestamp });
    expect(await events.suppressions(account)).toHaveLength(1);
  });

  it('and STOP at the same time leave the number either open with its consent, or closed without', async () => {
    await recordConsent(account, { phone: FROM }).expect(201);
    await stop();
    await Promise.all([start(), stop()]);
    const isSuppressed = (await events.suppressions(account)).length === 1;
    expect(await standing()).toBe(isSuppressed ? 'withdrawn' : 'granted');
  });
});
