import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { badRequest } from '../../support/errors.js';
import { type Ask, asKey, asUser, ids, pages } from '../../support/message-queries.js';
import { insertMessages } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';

const SMS = { channel: 'sms', recipient: '+14155550100', sender: '+12065550100', subject: null } as const;

describe('Messages by channel', () => {
  let service: TestService;
  let emails: string[];
  let sms: string[];
  let list: Ask;
  let listOfKey: Ask;
  let aggregate: Ask;

  beforeAll(async () => {
    service = await TestService.shared();
    const account = await service.createAccount();
    const key = await account.createKey();
    emails = await insertMessages(service, account.id, [
      { status: 'delivered', opens: 2 },
      { status: 'queued', apiKeyId: key.id },
      { status: 'sending' },
    ]);
    sms = await insertMessages(service, account.id, [
      { ...SMS, status: 'sent' },
      { ...SMS, status: 'sending', apiKeyId: key.id },
      { ...SMS, status: 'delivered', recipient: '+447400123456', campaignId: 'c'.repeat(25) },
    ]);
    await insertMessages(service, (await service.createAccount()).id, [{ ...SMS, status: 'sent' }]);
    list = asUser(account);
    listOfKey = asKey(service, key.secret);
    aggregate = asUser(account, '/api/messages/aggregate');
  });
  afterAll(() => service.stop());

  const sorted = async (query: Parameters<Ask>[0], ask = list) => (await ids(ask, query)).sort();
  const counts = async (query: Parameters<Ask>[0]) => (await aggregate(query).expect(200)).body;

  it('are listed separately or together', async () => {
    expect(await sorted({ channel: 'sms' })).toEqual([...sms].sort());
    expect(await sorted({ channel: 'email' })).toEqual([...emails].sort());
    expect(await sorted({})).toEqual([...emails, ...sms].sort());
  });

  it('are listed with other filters', async () => {
    expect(await sorted({ channel: 'sms', status: 'sending' })).toEqual([sms[1]]);
    expect(await sorted({ channel: 'sms' }, listOfKey)).toEqual([sms[1]]);
    expect(await sorted({ channel: 'sms', status: 'delivered,queued' })).toEqual([sms[2]]);
  });

  it('are paged with cursors that are bound to the channel', async () => {
    const read = await pages(list, { channel: 'sms', limit: '2' });
    expect(read.map((page) => page.length)).toEqual([2, 1]);
    const { body } = await list({ channel: 'sms', limit: '2' }).expect(200);
    await list({ channel: 'email', cursor: body.nextCursor }).expect(
      400,
      badRequest('cursor belongs to a list with other filters'),
    );
  });

  it.each(['+14155550100', ' 14155550100', '4155550100', '555010', '+12065550100'])(
    'are found by number: %s',
    async (search) => {
      for (let rollUps = 0; rollUps < 2; rollUps++) {
        expect(await sorted({ search, channel: 'sms' })).toEqual(expect.arrayContaining([sms[0], sms[1]] as string[]));
        expect(await sorted({ search, channel: 'email' })).toEqual([]);
        await service.app.get(RollUpMessages, { strict: false }).rollUp();
      }
    },
  );

  it('are counted separately or together, before and after the rollup', async () => {
    for (let rollUps = 0; rollUps < 2; rollUps++) {
      expect(await counts({ channel: 'sms' })).toMatchObject({
        total: 3,
        status: { sent: 1, sending: 1, delivered: 1, queued: 0 },
        opens: { unique: 0, total: 0 },
      });
      expect(await counts({ channel: 'email' })).toMatchObject({
        total: 3,
        status: { delivered: 1, queued: 1, sending: 1 },
        opens: { unique: 1, total: 2 },
      });
      expect(await counts({})).toMatchObject({ total: 6, status: { delivered: 2, sending: 2 } });
      expect(await counts({ channel: 'sms', search: '447400' })).toMatchObject({ total: 1 });
      expect(await counts({ channel: 'sms', campaignId: 'c'.repeat(25) })).toMatchObject({ total: 1 });
      const from = new Date(service.clock.now().getTime() - 60_000).toISOString();
      expect(await counts({ channel: 'sms', from })).toMatchObject({ total: 3 });
      await service.query(`UPDATE message_logs SET opens = opens`);
      await service.app.get(RollUpMessages, { strict: false }).rollUp();
    }
  });

  it.each(['pigeon', '', 'sms,email'])('refuses %j', async (channel) => {
    const refusal = badRequest('channel must be email or sms');
    await list({ channel }).expect(400, refusal);
    await aggregate({ channel }).expect(400, refusal);
  });
});
