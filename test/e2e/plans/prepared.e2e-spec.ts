import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const MESSAGES = 60;
/** PostgreSQL plans as often for given values before it compares. */
const FIRST_PLANS = 5;

describe('Prepared statements', () => {
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url, DATABASE_POOL_SIZE: '4' });
    account = await service.createAccount();
    await account.verifySender('shop@example.com');
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });

  const sent = async () =>
    (await service.query(`SELECT id FROM message_logs WHERE account_id = $1 AND status = 'sent'`, [account.id])).length;

  it('are not planned again and again for few messages, although that looks cheaper', async () => {
    const { secret } = await account.createKey();
    for (let i = 1; i <= MESSAGES; i++) {
      await sendEmail(service, secret, { to: `r${i}@example.org`, text: 'Hello' });
      await waitFor(`message ${i} to be sent`, async () => (await sent()) === i);
    }
    const clients = await Promise.all(Array.from({ length: 4 }, () => service.database.pool.connect()));
    const statements = await Promise.all(
      clients.map(async (client) => (await client.query<Planned>(PLANNED)).rows),
    ).finally(() => {
      for (const client of clients) client.release();
    });
    const often = statements.flat().filter(({ times }) => times > 2 * FIRST_PLANS);
    expect(often.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['accept_messages', 'claim_messages', 'submission_refusals', 'record_outcomes']),
    );
    expect(often.filter(({ custom }) => custom > FIRST_PLANS)).toEqual([]);
  });
});

interface Planned {
  name: string;
  custom: number;
  times: number;
}

const PLANNED = `
  SELECT name, custom_plans::integer AS custom, (generic_plans + custom_plans)::integer AS times
  FROM pg_prepared_statements`;
