import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { EraseContacts } from '../../../src/modules/erasure/application/erase-contacts.service.js';
import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { importCsv } from '../../support/csv-imports.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'hello@example.org';
/** Ids of unmatched events, which are unique within an account only. */
const UNMATCHED_IDS = [newId(new Date()), newId(new Date())] as const;
/** The tables that store recipients. */
const TABLES = [
  'campaign_recipients',
  'contact_imports',
  'contacts',
  'email_events',
  'form_signups',
  'idempotency_keys',
  'message_attachments',
  'message_contents',
  'message_logs',
  'message_search_texts',
  'outbox_events',
  'pending_deliveries',
  'unmatched_events',
  'webhook_attempts',
  'webhook_deliveries',
];

describe('Erasing a person whom another account knows too', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'all', SMTP_URL: 'smtp://127.0.0.1:1' });
  });
  afterAll(() => service.stop());

  /** Every row, by its table. */
  async function allRows(): Promise<Map<string, Set<string>>> {
    const rows = new Map<string, Set<string>>();
    for (const table of TABLES) {
      const found = await service.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      expect(found).not.toEqual([]);
      rows.set(table, new Set(found.map(({ row }) => row)));
    }
    return rows;
  }

  /** An account with the person in every table that stores recipients. Returns the contact. */
  async function knowing(email: string): Promise<{ account: TestAccount; contactId: string }> {
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    const { secret } = await account.createKey();
    const now = service.clock.now();
    const scheduledAt = new Date(now.getTime() + 3_600_000).toISOString();
    const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=' }];
    const mail = { to: email, fromEmail: SENDER, subject: `Hello ${email}`, text: 'Hello', scheduledAt };
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);

    const { body: sent } = await postEmail(service, secret, { ...mail, cc: ['grace@example.org'], attachments });
    await service.query(
      `INSERT INTO email_events (message_id, id, type, occurred_at, recipient, data) VALUES ($1, $2, 'opened', $3, $4, $5)`,
      [sent.messageLogId, newId(now), now, email, { ip: '203.0.113.7' }],
    );
    await service
      .request('post', '/api/send/batch')
      .set({ 'X-API-Key': secret, 'Idempotency-Key': 'batch-1' })
      .send({ messages: [{ ...mail, to: 'grace@example.org', cc: [email] }] })
      .expect(201);

    const campaign = await CampaignFixture.forAccount(service, account).create();
    await service.query(
      `INSERT INTO campaign_recipients (campaign_id, message_id, contact_id, email, normalised_email)
       VALUES ($1, $2, $3, $4, $5)`,
      [campaign.id, newId(now), contact.id, email, await normalised(contact.id)],
    );
    await service.query(
      `INSERT INTO form_signups (id, account_id, form_id, wording_version, email, normalised_email, language, state,
         created_at)
       VALUES ($1, $2, $1, 1, $3, $4, 'en', 'mailed', $5)`,
      [newId(now), account.id, email, await normalised(contact.id), now],
    );
    await importCsv(service, account, `email,x\n${email},${'y'.repeat(300)}\n`, {
      mapping: { email: 'email', company: 'x' },
    });
    for (const recipient of [email, null])
      await service.query(
        `INSERT INTO unmatched_events (id, account_id, provider, type, occurred_at, recipient, data, received_at, match_until)
         VALUES ($1, $2, 'ses', 'bounced', now(), $3, $4, now(), now() + interval '1 day')`,
        [
          recipient === null ? UNMATCHED_IDS[0] : UNMATCHED_IDS[1],
          account.id,
          recipient,
          { diagnosticCode: `550 <${email}>` },
        ],
      );
    await service.query(
      `INSERT INTO outbox_events (id, account_id, type, occurred_at, data) VALUES ($1, $2, 'contact.bounced', $3, $4)`,
      [newId(now), account.id, now, { email }],
    );
    const endpoint = { url: 'https://hooks.example.com', events: ['contact.bounced'] };
    const { body: webhook } = await account.asAdmin('post', '/api/webhooks').send(endpoint).expect(201);
    for (const data of [{ email }, {}]) {
      const id = newId(now);
      await service.query(
        `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, created_at)
         VALUES ($1, $2, $3, $1, 'contact.bounced', $4, 'delivered', $5)`,
        [id, account.id, webhook.id, JSON.stringify({ data }), now],
      );
      await service.query(
        `INSERT INTO webhook_attempts (delivery_id, number, id, started_at, response_body) VALUES ($1, 1, $1, $2, $3)`,
        [id, now, `thanks for ${email}`],
      );
    }
    return { account, contactId: contact.id as string };
  }

  async function normalised(contactId: string): Promise<string> {
    const [row] = await service.query<{ email: string }>(
      'SELECT normalised_email AS email FROM contacts WHERE id = $1',
      [contactId],
    );
    return row!.email;
  }

  it.each(['Ada@example.com', 'Ada@Bücher.example'])('changes no row of the other account: %s', async (email) => {
    await knowing(email);
    await service.app.get(RollUpMessages, { strict: false }).rollUp();
    const before = await allRows();
    const { account, contactId } = await knowing(email);
    await account.asAdmin('post', `/api/contacts/${contactId}/erase`).expect(200);
    const after = await allRows();
    for (const [table, rows] of before)
      expect([table, [...rows].filter((row) => !after.get(table)!.has(row))]).toEqual([table, []]);
    service.clock.advance({ minutes: 11 });
    await service.app.get(EraseContacts, { strict: false }).eraseDue();
    expect(await service.query('SELECT FROM contact_erasures')).toEqual([]);
    const { body } = await account.asMember('get', '/api/messages').expect(200);
    const recipients = (body.items as { to: string }[]).map(({ to }) => to);
    expect(recipients.sort()).toEqual(['erased', 'erased', 'grace@example.org', 'grace@example.org']);
  });
});
