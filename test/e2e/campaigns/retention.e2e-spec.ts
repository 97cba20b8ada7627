import { AsyncLocalStorage } from 'node:async_hooks';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { RetainMessages } from '../../../src/modules/messages/application/retain-messages.service.js';
import type { NewCampaignMessage } from '../../../src/modules/messages/index.js';
import type { CampaignRecipient } from '../../../src/modules/sending/index.js';
import { POSTGRES_FAULTS } from '../../../src/platform/database/postgres-errors.js';
import { monthAfter } from '../../../src/shared/utc.js';
import { CampaignFixture, recipients, SENDER } from '../../support/campaign-messages-fixture.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

describe('Retention beside a campaign whose audience was written in a month that is over', () => {
  let service: TestService;

  beforeAll(async () => {
    const variables = { ROLE: 'api', CONTENT_RETENTION_DAYS: '30', MESSAGE_RETENTION_MONTHS: '2' };
    service = await TestService.start(variables);
  });
  afterAll(() => service.stop());

  const retention = () => service.app.get(RetainMessages, { strict: false });
  const left = async (table: string, column: string, ids: string[]) =>
    (await service.query<{ id: string }>(`SELECT ${column} AS id FROM ${table} WHERE ${column} = ANY($1)`, [ids])).map(
      ({ id }) => id,
    );

  /** What is called within a transaction would take part in it. */
  const outside = AsyncLocalStorage.snapshot();

  let campaign: CampaignFixture;
  let offered: CampaignRecipient[];

  beforeEach(async () => {
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    campaign = new CampaignFixture(service, account);
    await campaign.freeze();
    offered = recipients(3, { createdAt: monthAfter(service.clock.now(), -4) });
  });
  afterEach(() => service.query('DELETE FROM pending_deliveries'));

  const accept = (messages: NewCampaignMessage[]) =>
    service.database.run(() => campaign.messages.accept(campaign.send, messages));
  const contents = () =>
    left(
      'message_contents',
      'message_id',
      offered.map(({ messageId }) => messageId),
    );

  it('keeps what is being accepted when it begins', async () => {
    const messages = await campaign.messages.prepare(campaign.send, offered);
    let purged: Promise<void> | undefined;
    await service.database.run(async () => {
      expect(await campaign.messages.accept(campaign.send, messages)).toEqual(offered.map(() => 'accepted'));
      purged = outside(() => retention().purgeExpired());
      const { pool } = service.database;
      await waitFor('retention to wait for the transaction', async () => {
        const { rows } = await pool.query(
          `SELECT FROM pg_locks l WHERE NOT l.granted AND (l.locktype = 'advisory' OR l.locktype = 'virtualxid')`,
        );
        return rows.length > 0;
      });
    });
    await purged;
    expect((await contents()).sort()).toEqual(offered.map(({ messageId }) => messageId).sort());
    expect(await left('message_logs', 'id', await contents())).toHaveLength(offered.length);
  });

  it('makes acceptance wait for the next try while it drops a month', async () => {
    const messages = await campaign.messages.prepare(campaign.send, offered);
    const reader = await service.database.pool.connect();
    await reader.query(`BEGIN; SELECT FROM message_contents LIMIT 1`);
    const purged = retention().purgeExpired();
    try {
      await waitFor('the detaching partition', async () => {
        const detaching = await service.query('SELECT FROM pg_inherits WHERE inhdetachpending');
        return detaching.length > 0;
      });
      await expect(accept(messages)).rejects.toMatchObject({ kind: 'unavailable' });
    } finally {
      reader.release(true);
    }
    await purged;
    expect(await contents()).toEqual([]);
    expect(await campaign.accept(offered)).toEqual(offered.map(() => 'accepted'));
    expect(await contents()).toHaveLength(offered.length);
  });

  it('leaves an error with which acceptance is tried again, and nobody is skipped', async () => {
    const messages = await campaign.messages.prepare(campaign.send, offered);
    await retention().purgeExpired();
    const error = await accept(messages).catch((thrown: unknown) => thrown);
    expect(POSTGRES_FAULTS.isUnavailable(error)).toBe(true);
    expect(await campaign.accept(offered)).toEqual(offered.map(() => 'accepted'));
  });
});
