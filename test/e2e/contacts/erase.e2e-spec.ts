import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { EraseContacts } from '../../../src/modules/erasure/application/erase-contacts.service.js';
import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { TimelineRepository } from '../../../src/modules/messages/index.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { importCsv } from '../../support/csv-imports.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.org';

const ascii = (email: string): string | null => (/^[ -~]*$/.test(email) ? email : null);
describe('POST /api/contacts/:id/erase', () => {
  let service: TestService;
  let account: TestAccount;
  let secret: string;
  /** The person of each test, who occurs nowhere else. */
  let name: string;
  let email: string;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', SMTP_URL: 'smtp://127.0.0.1:1' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    name = newId(service.clock.now());
    email = `Ada.${name}@example.com`;
    account = await service.createAccount();
    await account.verifySender(SENDER);
    ({ secret } = await account.createKey());
  });

  const upsert = (body: object) => account.asAdmin('post', '/api/contacts').send(body);
  const addContact = async (): Promise<string> =>
    (
      await upsert({
        email,
        firstName: 'Augusta',
        lastName: name,
        company: 'Engines',
        tags: ['countess'],
      }).expect(201)
    ).body.id;
  const erase = (id: string) => account.asAdmin('post', `/api/contacts/${id}/erase`);
  const send = (to = email) =>
    service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', secret)
      .send({ to, fromEmail: SENDER, replyTo: ascii(to), subject: `Hello ${to}`, html: `<p>Dear ${to}</p>` });
  const sent = async (to?: string): Promise<string> => (await send(to).expect(201)).body.messageLogId;
  const getMessage = async (id: string) => (await account.asMember('get', `/api/messages/${id}`).expect(200)).body;
  const report = (messageId: string, type: 'delivered' | 'opened' | 'bounced', data: object = {}) =>
    service.app.get(TimelineRepository, { strict: false }).record([
      {
        ...{
          id: newId(service.clock.now()),
          accountId: account.id,
          channel: 'email',
          messageId,
          providerMessageId: null,
          type,
        },
        ...{ occurredAt: service.clock.now(), recipient: email.toLowerCase(), data },
      } as never,
    ]);
  const personal = () => ({
    userAgent: `Mozilla ${name}`,
    ip: '203.0.113.7',
    url: `https://x.example/?${name}`,
    diagnosticCode: `550 ${email}`,
  });

  async function addDelivery(body: string, answer: string, headers: object = {}): Promise<{ id: string }> {
    const endpoint = { url: 'https://hooks.example.com', events: ['contact.bounced'] };
    const { body: webhook } = await account.asAdmin('post', '/api/webhooks').send(endpoint).expect(201);
    const id = newId(service.clock.now());
    await service.query(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, created_at)
       VALUES ($1, $2, $3, $1, 'contact.bounced', $4, 'delivered', now())`,
      [id, account.id, webhook.id, body],
    );
    await service.query(
      `INSERT INTO webhook_attempts (delivery_id, number, id, started_at, response_body, response_headers)
       VALUES ($1, 1, $1, now(), $2, $3)`,
      [id, answer, headers],
    );
    return { id };
  }

  /** Every table with the text in any column of any row. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await service.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'migrations' ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await service.query(`SELECT 1 FROM ${name} t WHERE t::text ILIKE $1 LIMIT 1`, [`%${text}%`]);
      if (row) found.push(name);
    }
    return found;
  }

  it('leaves no trace of the person in any table, and keeps the counters', async () => {
    const id = await addContact();
    const { body: other } = await upsert({ email: 'grace@example.com' }).expect(201);
    const [queued, opened] = [await sent(), await sent()];
    const others = await sent('grace@example.com');
    await service.query(`UPDATE message_logs SET status = 'sent', error = '450 ' || recipient WHERE id = $1`, [opened]);
    await service.query('DELETE FROM pending_deliveries WHERE message_id = $1', [opened]);
    await report(opened, 'opened', personal());
    await report(opened, 'bounced', { ...personal(), bounceType: 'soft' });
    await service.app.get(RollUpMessages, { strict: false }).rollUp();
    const late = await sent();
    await importCsv(service, account, `email,x\n${email},${'y'.repeat(300)}\n`, {
      mapping: { email: 'email', company: 'x' },
    });
    await service.query(
      `INSERT INTO unmatched_events (id, account_id, provider, type, occurred_at, recipient, data, received_at, match_until)
       VALUES ($1, $2, 'ses', 'bounced', now(), $3, '{}', now(), now() + interval '1 day')`,
      [newId(service.clock.now()), account.id, email],
    );
    await addDelivery(JSON.stringify({ data: { email } }), 'thanks');
    const { id: unrelated } = await addDelivery('{}', `no ${email} here`);
    const { id: named } = await addDelivery('{}', 'thanks', { 'x-user': `<${email}>` });
    await account
      .asAdmin('post', '/api/suppressions')
      .send({ email: email, note: `Ms ${name} asked` })
      .expect(201);
    expect(await tablesWith(name)).toContain('message_search_texts');

    await erase(id).expect(200, { id, erased: true });

    expect(await tablesWith(name)).toEqual([]);
    expect(await tablesWith('203.0.113.7')).toEqual([]);
    expect(await service.query('SELECT id FROM webhook_deliveries')).toEqual([{ id: unrelated }, { id: named }]);
    await account.asMember('get', `/api/contacts/${id}`).expect(404);
    for (const messageId of [queued, late])
      expect(await getMessage(messageId)).toMatchObject({ status: 'suppressed', to: 'erased', subject: null });
    const kept = await getMessage(opened);
    expect(kept).toMatchObject({ status: 'sent', opens: 1, to: 'erased', replyTo: null, error: null });
    expect(kept.events).toMatchObject([
      { type: 'opened', recipient: null, data: {} },
      { type: 'bounced', recipient: null, data: { bounceType: 'soft' } },
    ]);
    const { body } = await account.asMember('get', '/api/messages/aggregate').expect(200);
    expect(body).toMatchObject({ total: 4, opens: { unique: 1, total: 1 } });
    expect(await getMessage(others)).toMatchObject({ to: 'grace@example.com', status: 'queued' });
    await account.asMember('get', `/api/contacts/${other.id}`).expect(200);
    expect((await account.asMember('get', `/api/messages?search=${name}`).expect(200)).body.items).toEqual([]);
  });

  it('keeps any spelling of the address blocked for sends, upserts and imports', async () => {
    await erase(await addContact()).expect(200);
    for (const spelling of [email, email.toUpperCase(), ` ${email.toLowerCase()} `]) {
      await send(spelling).expect(400, badRequest(`${spelling.trim()} is suppressed`));
      await upsert({ email: spelling }).expect(400, badRequest(`${spelling} is suppressed`, 'suppressed'));
    }
    const contacts = [{ email: email }, { email: 'bob@example.com' }];
    const { body } = await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
    expect(body).toMatchObject({
      created: 1,
      skipped: 0,
      errors: [{ index: 0, email: email, message: `${email} is suppressed` }],
    });
    for (const dryRun of ['true', 'false'])
      expect(await importCsv(service, account, `email\n${email}\neve@example.com\n`, { dryRun })).toMatchObject({
        created: 1,
        failed: 1,
        errors: [{ line: 2, email: null, message: 'email belongs to a contact that was erased' }],
      });
    expect(await tablesWith(name)).toEqual([]);
    const { body: again } = await account.asAdmin('post', '/api/suppressions').send({ email: email }).expect(200);
    expect(again).toMatchObject({ address: null, erased: true });
    const { body: list } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(list.items).toMatchObject([{ address: null, erased: true, reason: 'manual', channel: 'email' }]);
    const { text } = await account.asMember('get', '/api/suppressions/export').expect(200);
    expect(text.trim().split('\n')).toHaveLength(1);
    const other = await service.createAccount();
    await other.asAdmin('post', '/api/contacts').send({ email: email }).expect(201);
  });

  it('does not touch people whose addresses begin or end with the address', async () => {
    const id = await addContact();
    const others = [`Jo${email}`, `jo.${email}`, `jo-${email}`, `${email}.au`, `${email}-shop.example`];
    for (const person of [email, ...others]) {
      await addDelivery(JSON.stringify({ data: { email: person } }), `no ${person}`, { 'x-user': person });
      await service.query(
        `INSERT INTO outbox_events (id, account_id, type, occurred_at, data) VALUES ($1, $2, 'contact.bounced', now(), $3)`,
        [newId(service.clock.now()), account.id, { email: person, diagnosticCode: `550 <${person}>` }],
      );
      for (const recipient of [person, null])
        await service.query(
          `INSERT INTO unmatched_events (id, account_id, provider, type, occurred_at, recipient, data, received_at, match_until)
           VALUES ($1, $2, 'ses', 'bounced', now(), $3, $4, now(), now() + interval '1 day')`,
          [newId(service.clock.now()), account.id, recipient, { diagnosticCode: `550\n${person}.` }],
        );
    }
    const bad = [email, ...others].map((person) => `${person},${'y'.repeat(300)}\n`).join('');
    const mapping = { email: 'email', company: 'x' };
    const { id: importId } = await importCsv(service, account, `email,x\n${bad}`, { mapping });
    await erase(id).expect(200);
    const kept = async (text: string) => {
      const rows = await service.query<{ text: string }>(
        `SELECT ${text} AS text FROM ${text.split('.')[0]} WHERE ${text} LIKE '%' || $1 || '%' ORDER BY 1`,
        [name],
      );
      return rows.map((row) => row.text);
    };
    expect(await kept('webhook_attempts.response_body')).toHaveLength(others.length);
    expect(await kept('webhook_attempts.response_headers::text')).toHaveLength(others.length);
    expect(await kept('webhook_deliveries.body')).toHaveLength(others.length);
    expect(await kept('outbox_events.data::text')).toHaveLength(others.length);
    expect(await kept('unmatched_events.data::text')).toHaveLength(2 * others.length);
    const { body: report } = await account.asMember('get', `/api/imports/${importId as string}`).expect(200);
    expect(report.errors.map((error: { email: string | null }) => error.email)).toEqual([null, ...others]);
  });

  it('keeps the reason of an existing suppression; deleting the entry lifts it', async () => {
    const id = await addContact();
    await upsert({ email: email, status: 'unsubscribed' }).expect(200);
    await erase(id).expect(200);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(body.items).toMatchObject([{ address: null, reason: 'unsubscribed', source: 'dashboard', contactId: id }]);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
    await addContact();
  });

  it('answers a repeated request the same, and 404 for other contacts', async () => {
    const id = await addContact();
    const answers = await Promise.all([erase(id), erase(id), erase(id)]);
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 200, body: { id, erased: true } });
    await erase(id).expect(200);
    expect((await account.asMember('get', '/api/suppressions').expect(200)).body.total).toBe(1);
    const other = await service.createAccount();
    for (const unknown of [id, newId(new Date()), 'none'])
      await other.asAdmin('post', `/api/contacts/${unknown}/erase`).expect(404, errorBody(404, 'Contact not found'));
    await account.asMember('post', `/api/contacts/${id}/erase`).expect(403);
  });

  it('stores nothing personal that is reported later', async () => {
    const id = await addContact();
    const message = await sent();
    await erase(id).expect(200);
    await report(message, 'opened', personal());
    expect((await getMessage(message)).events).toMatchObject([{ type: 'opened', recipient: null, data: {} }]);
    expect(await getMessage(message)).toMatchObject({ opens: 1 });
    expect(await tablesWith(name)).toEqual([]);
  });

  it('erases again what was being sent or accepted at the time, then deletes the address', async () => {
    const id = await addContact();
    const message = await sent();
    const lease = (until: string | null) =>
      service.query('UPDATE pending_deliveries SET lease_ends_at = $2 WHERE message_id = $1', [message, until]);
    await lease('infinity');
    await erase(id).expect(200);
    expect(await getMessage(message)).toMatchObject({ to: email });
    const again = async () => {
      service.clock.advance({ minutes: 11 });
      await service.app.get(EraseContacts, { strict: false }).eraseDue();
    };
    await again();
    const open = () => service.query('SELECT contact_id FROM contact_erasures');
    expect(await open()).toHaveLength(1);
    await lease(null);
    await again();
    expect(await getMessage(message)).toMatchObject({ to: 'erased', status: 'suppressed' });
    expect(await open()).toEqual([]);
    expect(await tablesWith(name)).toEqual([]);
  });

  it('goes on with other erasures when one fails, and tries that one again', async () => {
    const [first, second] = [
      await addContact(),
      (await upsert({ email: `bob.${name}@example.com` }).expect(201)).body.id,
    ];
    await erase(first).expect(200);
    service.clock.advance({ seconds: 1 });
    await erase(second).expect(200);
    await service.query(`UPDATE contact_erasures SET sealed_email = 'no seal' WHERE contact_id = $1`, [first]);
    service.clock.advance({ minutes: 11 });
    await service.app.get(EraseContacts, { strict: false }).eraseDue();
    const left = await service.query<{ due_at: Date }>('SELECT contact_id, due_at FROM contact_erasures');
    expect(left).toMatchObject([{ contact_id: first }]);
    expect(left[0]!.due_at > service.clock.now()).toBe(true);
    await service.query('DELETE FROM contact_erasures');
  });

  it('finds messages to addresses in other scripts', async () => {
    email = 'Grün@Münster.example';
    const id = await addContact();
    const message = await sent(email.toUpperCase());
    await erase(id).expect(200);
    expect(await getMessage(message)).toMatchObject({ to: 'erased' });
    await send(email).expect(400);
  });

  it('leaves no contact and no entry that is added at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      email = `ada${round}.${name}@example.com`;
      const id = await addContact();
      await Promise.all([
        erase(id).expect(200),
        upsert({ email, company: 'New' }).then(),
        account.asAdmin('post', '/api/suppressions').send({ email }).then(),
        account
          .asAdmin('post', '/api/contacts/import')
          .send({ contacts: [{ email }] })
          .then(),
      ]);
      await send(email).expect(400);
      expect(await service.query('SELECT id FROM contacts WHERE normalised_email = $1', [email])).toEqual([]);
      expect(await service.query('SELECT id FROM suppressions WHERE address = $1', [email])).toEqual([]);
    }
  });
});
