import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { EraseContacts } from '../../../src/modules/erasure/application/erase-contacts.service.js';
import { newIds } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { lockRows } from '../../support/lock-rows.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'alerts@example.com';
/** More than one search finds. */
const MESSAGES = 2_500;
const MAX_IN_TRANSACTION = 200;

describe('Erasing a person with many messages', () => {
  let service: TestService;
  let account: TestAccount;
  let contactId: string;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', SMTP_URL: 'smtp://127.0.0.1:1' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email: EMAIL }).expect(201);
    contactId = body.id as string;
  });

  const erase = () => account.asAdmin('post', `/api/contacts/${contactId}/erase`).expect(200);
  const eraseDue = () => service.app.get(EraseContacts, { strict: false }).eraseDue();
  const isOpen = async () => (await service.query('SELECT FROM contact_erasures')).length > 0;
  /** The ids of queued messages to the person, oldest first. */
  async function addMessages(count: number): Promise<string[]> {
    const now = service.clock.now();
    const ids = newIds(now, count).sort();
    await service.query(ADD_MESSAGES, [ids, account.id, EMAIL, now]);
    await service.query(ADD_DELIVERIES, [ids, account.id, now]);
    return ids;
  }
  const countLeft = async () => {
    const [row] = await service.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM message_logs m
       WHERE m.account_id = $1 AND (normalised_recipient = $2 OR status = 'queued' OR EXISTS (
         SELECT FROM message_contents c WHERE c.message_id = m.id) OR EXISTS (
         SELECT FROM pending_deliveries p WHERE p.message_id = m.id))`,
      [account.id, EMAIL],
    );
    return row!.count;
  };

  it('takes short transactions', async () => {
    await addMessages(MESSAGES);
    await erase();
    while ((await countLeft()) > 0) await eraseDue();
    const [largest] = await service.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM message_logs WHERE account_id = $1
       GROUP BY xmin::text ORDER BY 1 DESC LIMIT 1`,
      [account.id],
    );
    expect(largest!.count).toBeLessThanOrEqual(MAX_IN_TRANSACTION);
    expect(await isOpen()).toBe(true);
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect(await isOpen()).toBe(false);
  });

  it('continues where a killed process has stopped', async () => {
    const ids = await addMessages(MESSAGES);
    await erase();
    // As it was after the first part.
    const [first, last] = [ids[0]!, ids.at(-1)!];
    await service.query(`UPDATE contact_erasures SET step = 0, after = $1, must_repeat = true`, [first]);
    const added = await addMessages(1);
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect([await countLeft(), await isOpen()]).toEqual([0, true]);
    expect(added[0]! > last).toBe(true);
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect(await isOpen()).toBe(false);
  });

  it('does not wait for messages that somebody holds, and erases them later', async () => {
    const ids = await addMessages(10);
    const [leased, locked] = [ids[3]!, ids[7]!];
    await service.query(`UPDATE pending_deliveries SET lease_ends_at = 'infinity' WHERE message_id = $1`, [leased]);
    const unlock = await lockRows(service, 'SELECT FROM pending_deliveries WHERE message_id = $1', [locked]);
    await erase();
    expect(await countLeft()).toBe(2);
    await unlock();
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect([await countLeft(), await isOpen()]).toEqual([1, true]);
    await service.query('UPDATE pending_deliveries SET lease_ends_at = NULL WHERE message_id = $1', [leased]);
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect([await countLeft(), await isOpen()]).toEqual([0, false]);
  });

  it.each([
    [
      'an import',
      'contact_imports',
      `INSERT INTO contact_imports (id, account_id, state, errors, created_at)
       VALUES ($1, $1, 'completed', jsonb_build_array(jsonb_build_object('email', $2::text)), now())`,
    ],
    [
      'the result of a batch',
      'idempotency_keys',
      `INSERT INTO idempotency_keys (account_id, api_key_id, key, fingerprint, message_id, created_at, results)
       VALUES ($1, $1, 'batch', '', $1, now(), jsonb_build_array(jsonb_build_object('email', $2::text)))`,
    ],
    [
      'the audience of a campaign',
      'campaign_recipients',
      `WITH campaign AS (
         INSERT INTO campaigns (id, account_id, name, from_email, list_ids, tags, exclude_list_ids, exclude_tags, status,
           created_at)
         VALUES ($1, $1, 'News', 'shop@example.com', '{}', '{}', '{}', '{}', 'completed', now()) RETURNING id
       )
       INSERT INTO campaign_recipients (campaign_id, message_id, contact_id, email, normalised_email)
       SELECT id, id, id, $2, $2 FROM campaign`,
    ],
  ])('does not wait for %s that somebody holds, and erases the address there later', async (_, table, insert) => {
    await service.query(insert, [account.id, EMAIL]);
    const named = () =>
      service.query(
        `SELECT FROM ${table} t WHERE t::text LIKE '%' || $1::text || '%' AND t::text LIKE '%' || $2 || '%'`,
        [account.id, EMAIL],
      );
    const unlock = await lockRows(service, `SELECT FROM ${table} t WHERE t::text LIKE '%' || $1 || '%'`, [account.id]);
    await erase();
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect([(await named()).length, await isOpen()]).toEqual([1, true]);
    await unlock();
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect([(await named()).length, await isOpen()]).toEqual([0, false]);
  });

  it('leaves a webhook delivery to the worker that is making it', async () => {
    const endpoint = { url: 'https://hooks.example.com', events: ['contact.bounced'] };
    const { body } = await account.asAdmin('post', '/api/webhooks').send(endpoint).expect(201);
    const [leased, lost] = newIds(service.clock.now(), 2).sort();
    await service.query(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, created_at, due_at, claim_id)
       SELECT id, $2, $3, id, 'contact.bounced', $4, 'in_progress', now(), due_at, 'claim'
       FROM (VALUES ($1, timestamptz 'infinity'), ($5, '-infinity')) AS d (id, due_at)`,
      [leased, account.id, body.id, JSON.stringify({ data: { email: EMAIL } }), lost],
    );
    await erase();
    const left = () => service.query<{ id: string }>('SELECT id FROM webhook_deliveries');
    expect(await left()).toEqual([{ id: leased }]);
    await service.query(`UPDATE webhook_deliveries SET state = 'delivered', due_at = NULL, claim_id = NULL`);
    service.clock.advance({ minutes: 11 });
    await eraseDue();
    expect([await left(), await isOpen()]).toEqual([[], false]);
  });
});

/** $1 ids, $2 account, $3 recipient, $4 now. */
const ADD_MESSAGES = `
  WITH added AS (
    INSERT INTO message_logs
      (id, account_id, channel, status, recipient, normalised_recipient, sender, subject, created_at)
    SELECT id, $2, 'email', 'queued', $3, $3, 'shop@example.com', 'Alert ' || i, $4
    FROM unnest($1::text[]) WITH ORDINALITY AS m (id, i)
  )
  INSERT INTO message_contents (message_id, html) SELECT id, '<p>Dear you</p>' FROM unnest($1::text[]) AS m (id)`;

/** $1 ids, $2 account, $3 now. */
const ADD_DELIVERIES = `
  INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at)
  SELECT id, $2, 'email', $3, $3 FROM unnest($1::text[]) AS m (id)`;
