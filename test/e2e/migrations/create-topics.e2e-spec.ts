import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { QueryRunner } from 'typeorm';

import { CreateTopics1795550000001 } from '../../../migrations/1795550000001-create-topics.js';
import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { newId } from '../../../src/shared/ids.js';
import { insertMessages } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';

describe('The migration to topics', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());

  it('lets the previous release go on to roll up counts, and keeps them there and back', async () => {
    const migration = new CreateTopics1795550000001();
    const runner = { query: (statement: string) => service.query(statement) } as unknown as QueryRunner;
    const account = await service.createAccount();
    const topicId = newId(service.clock.now());
    const rollUp = () => service.app.get(RollUpMessages, { strict: false }).rollUp();
    const total = async (query = '') =>
      (await account.asMember('get', `/api/messages/aggregate${query}`).expect(200)).body.total as number;
    const totals = async () => [await total(), await total(`?topicId=${topicId}`)];
    await insertMessages(service, account.id, [{ topicId }, { topicId, channel: 'sms' }, {}]);
    await service.query(ROLL_UP_OF_PREVIOUS_RELEASE, [100]);
    expect(await totals()).toEqual([3, 2]);
    await rollUp();
    expect(await totals()).toEqual([3, 2]);

    await service.database.run(() => migration.down(runner));
    await service.query(ROLL_UP_OF_PREVIOUS_RELEASE, [100]);
    expect(await service.query('SELECT sum(messages)::integer AS messages FROM message_counts')).toEqual([
      { messages: 3 },
    ]);

    await service.database.run(() => migration.up(runner));
    expect(await totals()).toEqual([3, 0]);
  });
});

const ROLL_UP_OF_PREVIOUS_RELEASE = `
  WITH taken AS (
    DELETE FROM message_count_changes
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM message_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING *
  )
  INSERT INTO message_counts AS c
  SELECT account_id, day, api_key_id, campaign_id, status, sum(messages), sum(opened), sum(opens), sum(clicked),
    sum(clicks), channel
  FROM taken GROUP BY 1, 2, 3, 4, 5, channel ORDER BY 1, 2, 3, 4, 5, channel
  ON CONFLICT (account_id, day, api_key_id, campaign_id, status, channel) DO UPDATE SET
    messages = c.messages + excluded.messages, opened = c.opened + excluded.opened, opens = c.opens + excluded.opens,
    clicked = c.clicked + excluded.clicked, clicks = c.clicks + excluded.clicks`;
