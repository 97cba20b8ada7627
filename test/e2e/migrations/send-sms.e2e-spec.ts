import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { QueryRunner } from 'typeorm';

import { SendSms1795290000000 } from '../../../migrations/1795290000000-send-sms.js';
import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { insertMessages } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';

/** The function before the migration, and after it. */
describe('The migration to SMS', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());

  it('keeps counts, pauses and messages, there and back', async () => {
    const migration = new SendSms1795290000000();
    const runner = { query: (statement: string) => service.query(statement) } as unknown as QueryRunner;
    const account = await service.createAccount();
    const rollUp = () => service.app.get(RollUpMessages, { strict: false }).rollUp();
    const totals = async (query = '') =>
      (await account.asMember('get', `/api/messages/aggregate${query}`).expect(200)).body;
    await insertMessages(service, account.id, [{ opens: 1 }, { status: 'queued' }, { channel: 'sms' }]);
    await rollUp();
    await insertMessages(service, account.id, [{ clicks: 2 }, { channel: 'sms' }]);
    await service.query(`INSERT INTO delivery_pauses SELECT $1, 'no', now(), now(), 'email'`, [account.id]);
    await service.query(`INSERT INTO delivery_pauses SELECT $1, 'no', now(), now(), 'sms'`, [account.id]);
    const [before, ofSms] = [await totals(), await totals('?channel=sms')];
    expect(ofSms).toMatchObject({ total: 2, status: { sent: 2 } });
    expect(before).toMatchObject({ total: 5, status: { sent: 4, queued: 1 } });

    await service.database.run(() => migration.down(runner));
    expect(await service.query(COUNT)).toEqual([{ messages: 5 }]);
    expect(await service.query('SELECT account_id FROM delivery_pauses')).toEqual([{ account_id: account.id }]);

    await service.database.run(() => migration.up(runner));
    for (let rollUps = 0; rollUps < 2; rollUps++) {
      expect(await totals()).toEqual(before);
      expect(await totals('?channel=sms')).toEqual(ofSms);
      await rollUp();
    }
  });
});

const COUNT = `
  SELECT sum(messages)::integer AS messages
  FROM (SELECT messages FROM message_counts UNION ALL SELECT messages FROM message_count_changes) AS counted`;
