import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';

describe('A fault of the database before a submission', () => {
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    account = await service.createAccount();
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: 'localhost', port: relay.port, maxSendRate: 1_000 } })
      .expect(200);
    await account.verifySender(SENDER);
    key = await account.createKey({ scopes: ['send', 'read_events'] });
  });

  const send = () => sendEmail(service, key.secret, { text: 'Hello' });
  const message = async (id: string) => (await account.asMember('get', `/api/messages/${id}`).expect(200)).body;
  const untilSent = (id: string) => waitFor('the mail', async () => (await message(id)).status === 'sent');

  it('does not count as an attempt: the message leaves as soon as the database is back', async () => {
    await untilSent(await send());
    const holder = await service.database.pool.connect();
    let id: string;
    try {
      await holder.query('BEGIN; SELECT FROM sending_slots FOR UPDATE');
      id = await send();
      await waitFor('the lost connection of the worker that waits for a permit', async () => {
        const lost = await service.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%sending_slots%'`,
        );
        return lost.length > 0;
      });
      await waitFor('the outcome', async () => {
        const released = await service.query(
          'SELECT FROM pending_deliveries WHERE message_id = $1 AND attempts = 0 AND lease_ends_at IS NULL',
          [id],
        );
        return released.length > 0;
      });
    } finally {
      holder.release(true);
    }
    expect(await message(id)).toMatchObject({ error: null, events: [] });
    // More than once: the server may take a while to end the transaction of a closed connection.
    const sent = await waitFor('the mail', async () => {
      await service.app.get(SweepDeliveries, { strict: false }).sweep();
      const found = await message(id);
      return found.status === 'sent' && found;
    });
    expect(sent.events).toMatchObject([{ type: 'sent', data: { attempt: 1 } }]);
  });
});
