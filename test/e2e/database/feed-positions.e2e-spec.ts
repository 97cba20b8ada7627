import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { PendingDeliveryRepository } from '../../../src/modules/messages/index.js';
import { moveFeedPositions } from '../../../src/modules/messages/infrastructure/feed/move-feed-positions.js';
import { EventWriter, FeedReader, recordEvents } from '../../support/event-feed.js';
import { expireLeases } from '../../support/expire-leases.js';
import { insertMessages } from '../../support/message-rows.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

/** How many transactions the former server executed that the present one knows nothing of. */
const LOST = 1_000_000;
const APP_SECRET = 'a secret of the tests, of thirty-two characters and more';

const transactionOf = (cursor: string) => BigInt(Buffer.from(cursor, 'base64url').toString().split('.')[0]!);

describe('The positions of events', () => {
  let fixture: RelayFixture;
  let service: TestService;
  let sender: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start({ APP_SECRET });
    ({ service } = fixture);
    sender = await fixture.open();
  });
  afterAll(() => fixture.stop());

  it('are given to all events, whatever records them', async () => {
    const reader = await FeedReader.open(service, sender.account);
    await sender.attempt({ to: 'ada@example.org', text: 'Hello' });
    const [lost = ''] = await insertMessages(service, sender.account.id, [{ status: 'sending' }]);
    await expireLeases(service, 'pending_deliveries');
    const deliveries = service.app.get(PendingDeliveryRepository, { strict: false });
    expect(await deliveries.claim(sender.account.id, [lost])).toHaveLength(1);
    await recordEvents(service, sender.account.id, lost, [{ type: 'delayed' }]);
    const scheduledAt = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const canceled = await sender.send({ to: 'ada@example.org', text: 'Hello', scheduledAt });
    await sender.account.asAdmin('post', `/api/messages/${canceled}/cancel`).expect(200);

    expect((await reader.until(4)).map(({ type }) => type)).toEqual(['sent', 'delayed', 'delayed', 'canceled']);
    const outside = 'SELECT FROM email_events WHERE account_id IS NULL OR position IS NULL';
    expect(await service.query(outside)).toEqual([]);
  });

  describe('on another server, which counts its transactions on its own,', () => {
    const record = async (of: TestService) => {
      const [message = ''] = await insertMessages(of, sender.account.id, [{}]);
      await recordEvents(of, sender.account.id, message, [{ type: 'delivered' }]);
      return message;
    };

    it('come behind all earlier ones from the first start', async () => {
      const before = await FeedReader.open(service, sender.account);
      const first = await record(service);
      await before.until(1);
      await service.query('UPDATE email_events SET position = position + $1 WHERE message_id = $2', [LOST, first]);
      const ofLostEvent = Buffer.from(`${transactionOf(before.position) + BigInt(2 * LOST)}.`).toString('base64url');
      await service.query(`UPDATE event_feed SET server = 'the former one'`);
      expect(await before.next()).toEqual([]); // the first event seems to lie in the future

      const restarted = await TestService.start({ ROLE: 'api', APP_SECRET }, service.database);
      try {
        const second = await record(restarted);
        const reader = await FeedReader.open(service, sender.account);
        const read = async (after: string) =>
          (await reader.page({ after })).items.map(({ messageLogId }) => messageLogId);
        await waitFor('both events', async () => (await read(before.position)).length === 2);
        expect(await read(before.position)).toEqual([first, second]);
        expect(await read(ofLostEvent)).toEqual([second]);
      } finally {
        await restarted.stop();
      }
    });

    it('are moved once, after the transactions that have earlier ones', async () => {
      const reader = await FeedReader.open(service, sender.account);
      const [message = ''] = await insertMessages(service, sender.account.id, [{}]);
      const writer = await EventWriter.begin(service);
      await writer.record(sender.account.id, message);
      await service.query(`UPDATE event_feed SET server = 'the former one'`);
      const offset = async () =>
        (await service.query<{ offset: string }>('SELECT xid_offset AS offset FROM event_feed'))[0]!.offset;
      const before = await offset();
      const moving = [moveFeedPositions(service.database), moveFeedPositions(service.database)];
      await waitFor('both to wait', async () => {
        const { length } = await service.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LOCK TABLE email_events%'
             AND wait_event_type = 'Lock'`,
        );
        return length === 2;
      });
      expect(await offset()).toBe(before);
      await writer.commit();
      await Promise.all(moving);
      expect(BigInt(await offset()) - BigInt(before)).toBe(2n ** 44n);
      const later = await record(service);
      expect((await reader.until(2)).map(({ messageLogId }) => messageLogId)).toEqual([message, later]);
    });

    it('are moved by every preparation of a restored database', async () => {
      const reader = await FeedReader.open(service, sender.account);
      const before = reader.position;
      await moveFeedPositions(service.database, { evenOnSameServer: true });
      await record(service);
      await reader.until(1);
      expect(transactionOf(reader.position) - transactionOf(before)).toBeGreaterThan(2n ** 43n);
    });
  });
});
