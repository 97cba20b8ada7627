import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CampaignFeed } from '../../../src/modules/campaigns/application/ports/campaign-feed.js';
import { ImportRepository } from '../../../src/modules/imports/application/ports/import.repository.js';
import { ApiKeyRepository } from '../../../src/modules/keys/application/ports/api-key.repository.js';
import { IdempotencyStore } from '../../../src/modules/messages/application/ports/idempotency-store.js';
import { MessagePartitions } from '../../../src/modules/messages/application/ports/message-maintenance.js';
import { DueSenders } from '../../../src/modules/senders/application/ports/sender.repository.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { lockRows } from '../../support/lock-rows.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

/** As a long transaction of the operator, or of the account itself, locks them. */
describe('While a row of one account is locked, a statement that serves all accounts', () => {
  let hooks: WebhookFixture;
  let busy: TestAccount;
  let other: TestAccount;
  let unlock: () => Promise<void>;

  beforeAll(async () => {
    hooks = await WebhookFixture.start({ ROLE: 'api' });
  });
  afterAll(() => hooks.stop());
  beforeEach(async () => {
    unlock = () => Promise.resolve();
    busy = await hooks.service.createAccount();
    other = await hooks.service.createAccount();
  });
  afterEach(() => unlock());

  const both = () => [busy, other];
  const port = <T>(token: abstract new (...args: never[]) => T): T => hooks.service.app.get(token, { strict: false });
  const lock = async (select: string, value: unknown) => {
    const release = await lockRows(hooks.service, select, [value]);
    unlock = () => {
      unlock = () => Promise.resolve();
      return release();
    };
  };
  /** How many rows each of the accounts has. */
  const counts = async (table: string, condition = 'true') => {
    const rows = await hooks.service.query<{ id: string; count: number }>(
      `SELECT account_id AS id, count(*)::integer AS count FROM ${table}
       WHERE account_id = ANY ($1) AND ${condition} GROUP BY 1`,
      [both().map(({ id }) => id)],
    );
    const found = new Map(rows.map(({ id, count }) => [id, count]));
    return { busy: found.get(busy.id) ?? 0, other: found.get(other.id) ?? 0 };
  };

  it('dispatches the events of the others, and its own afterwards', async () => {
    const endpoints = [await hooks.addEndpoint(busy), await hooks.addEndpoint(other)];
    for (const account of both()) await hooks.suppress(account, 'ada@example.org');
    await lock('SELECT FROM webhook_endpoints WHERE id = $1', endpoints[0]!.id);
    expect(await hooks.dispatch()).toBe(1);
    expect(await counts('webhook_deliveries')).toEqual({ busy: 0, other: 1 });
    expect(await counts('outbox_events')).toEqual({ busy: 1, other: 0 });
    await unlock();
    expect(await hooks.dispatch()).toBe(1);
    expect(await counts('webhook_deliveries')).toEqual({ busy: 1, other: 1 });
  });

  it.each(['webhook_deliveries', 'webhook_endpoints'])(
    'removes deleted endpoints of the others (%s)',
    async (table) => {
      const endpoints = [await hooks.addEndpoint(busy), await hooks.addEndpoint(other)];
      for (const account of both()) await hooks.fire(account);
      for (const [i, account] of both().entries())
        await account.asAdmin('delete', `/api/webhooks/${endpoints[i]!.id}`).expect(200);
      await lock(`SELECT FROM ${table} WHERE account_id = $1`, busy.id);
      await hooks.removeDeleted();
      expect(await counts('webhook_endpoints')).toEqual({ busy: 1, other: 0 });
      await unlock();
      await hooks.removeDeleted();
      expect(await counts('webhook_endpoints')).toEqual({ busy: 0, other: 0 });
    },
  );

  it('makes outdated senders of the others pending', async () => {
    for (const account of both()) await account.verifySender('shop@example.com');
    await hooks.service.query(`UPDATE senders SET set_up_for = 'another provider'`);
    const unverify = () => port(DueSenders).unverifyOutdatedAcrossAccounts();
    await lock('SELECT FROM senders WHERE account_id = $1', busy.id);
    await unverify();
    expect(await counts('senders', `status = 'pending'`)).toEqual({ busy: 0, other: 1 });
    await unlock();
    await unverify();
    expect(await counts('senders', `status = 'pending'`)).toEqual({ busy: 1, other: 1 });
  });

  it('does not keep the use of its key waiting', async () => {
    const { id } = await busy.createKey();
    const now = hooks.service.clock.now();
    const record = () => port(ApiKeyRepository).recordUseAcrossAccounts(id, now, new Date(now.getTime() - 60_000));
    await lock('SELECT FROM api_keys WHERE id = $1', id);
    await record();
    expect(await counts('api_keys', 'last_used_at IS NOT NULL')).toEqual({ busy: 0, other: 0 });
    await unlock();
    await record();
    expect(await counts('api_keys', 'last_used_at IS NOT NULL')).toEqual({ busy: 1, other: 0 });
  });

  it('purges idempotency keys of the others', async () => {
    for (const { id } of both())
      await hooks.service.query(
        `INSERT INTO idempotency_keys (account_id, api_key_id, key, fingerprint, message_id, created_at)
         SELECT $1, $1, n, '', $1, $2 FROM unnest(ARRAY['1', '2']) AS n`,
        [id, new Date(0)],
      );
    const purge = () => port(IdempotencyStore).purgeExpiredAcrossAccounts();
    await lock(`SELECT FROM idempotency_keys WHERE key = '1' AND account_id = $1`, busy.id);
    await purge();
    expect(await counts('idempotency_keys')).toEqual({ busy: 1, other: 0 });
    await unlock();
    await purge();
    expect(await counts('idempotency_keys')).toEqual({ busy: 0, other: 0 });
  });

  it.each([
    ['contents', 'message_contents', 'message_id'],
    ['attachments', 'message_attachments', 'group_id'],
  ])('purges %s of the others', async (_, table, column) => {
    const ids = both().map(() => newId(hooks.service.clock.now()));
    for (const [i, { id: accountId }] of both().entries()) await addContent(ids[i]!, accountId);
    const left = async () =>
      (
        await hooks.service.query<{ id: string }>(`SELECT ${column} AS id FROM ${table} WHERE ${column} = ANY ($1)`, [
          ids,
        ])
      ).map(({ id }) => id);
    const purge = () => port(MessagePartitions).purgeContentsBefore(inOneSecond());
    await lock(`SELECT FROM ${table} WHERE ${column} = $1`, ids[0]!);
    await purge();
    expect(await left()).toEqual([ids[0]]);
    await unlock();
    await purge();
    expect(await left()).toEqual([]);
  });

  it.each(['message_contents', 'message_attachments'])('purges %s of test messages of the others', async (table) => {
    const column = table === 'message_contents' ? 'message_id' : 'group_id';
    for (const account of both()) await account.createKey({ mode: 'test' });
    const testIds = await hooks.service.query<{ id: string }>('SELECT id FROM accounts WHERE test_of = ANY ($1)', [
      both().map(({ id }) => id),
    ]);
    const ids: string[] = [];
    for (const { id: accountId } of testIds) {
      const id = newId(hooks.service.clock.now());
      ids.push(id);
      await hooks.service.query(
        `INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, created_at)
         VALUES ($1, $2, 'email', 'sent', 'a@example.org', 'a@example.org', 'b@example.org', $3)`,
        [id, accountId, hooks.service.clock.now()],
      );
      await addContent(id, accountId);
    }
    const left = () => hooks.service.query(`SELECT ${column} AS id FROM ${table} WHERE ${column} = ANY ($1)`, [ids]);
    const before = new Date(hooks.service.clock.now().getTime() - 60_000);
    const purge = () => port(MessagePartitions).purgeTestContentsAcrossAccounts(before, inOneSecond());
    await lock(`SELECT FROM ${table} WHERE ${column} = $1`, ids[0]!);
    await purge();
    expect(await left()).toEqual([{ id: ids[0] }]);
    await unlock();
    await purge();
    expect(await left()).toEqual([]);
  });

  it('purges imports of the others', async () => {
    const imports = port(ImportRepository);
    const start = hooks.service.clock.now();
    const abandon = async ({ id: accountId }: TestAccount) => {
      await imports.open(accountId, newId(start), start);
    };
    const addUnfinished = async ({ id: accountId }: TestAccount) => {
      const id = newId(start);
      await imports.open(accountId, id, start);
      await imports.append(accountId, id, 0, Buffer.from('email'), start);
      await imports.queue(accountId, id, { mapping: { email: 'email' }, listId: null, dryRun: false });
    };
    for (const account of both()) await abandon(account);
    for (const account of both()) await addUnfinished(account);
    const purge = () => imports.purgeExpiredAcrossAccounts(new Date(start.getTime() + 25 * 3_600_000));
    const unfinished = () => counts('contact_imports', 'finished_at IS NULL');
    const chunks = () => hooks.service.query('SELECT FROM contact_import_chunks');
    await lock('SELECT FROM contact_imports WHERE account_id = $1', busy.id);
    await purge();
    expect(await unfinished()).toEqual({ busy: 2, other: 0 });
    expect(await chunks()).toHaveLength(1);
    await unlock();
    await purge();
    expect(await unfinished()).toEqual({ busy: 0, other: 0 });
    expect(await counts('contact_imports', `state = 'failed'`)).toEqual({ busy: 1, other: 1 });
    expect(await chunks()).toEqual([]);
  });

  it('purges recipients of campaigns of the others', async () => {
    const ids: string[] = [];
    for (const account of both()) {
      const plan = { name: 'News', fromEmail: 'shop@example.com', subject: 'News', text: 'News' };
      const { body } = await account.asAdmin('post', '/api/campaigns').send(plan).expect(201);
      ids.push(body.id as string);
      await hooks.service.query(
        `INSERT INTO campaign_recipients (campaign_id, message_id, contact_id, email, normalised_email)
         SELECT $1, n, n, n, n FROM unnest(ARRAY['1', '2']) AS n`,
        [body.id],
      );
      await account.asAdmin('delete', `/api/campaigns/${body.id as string}`).expect(200);
    }
    const left = async () =>
      (await hooks.service.query<{ id: string }>('SELECT campaign_id AS id FROM campaign_recipients')).map(
        ({ id }) => id,
      );
    const purge = () => port(CampaignFeed).purgeAcrossAccounts(null, 100);
    await lock(`SELECT FROM campaign_recipients WHERE message_id = '1' AND campaign_id = $1`, ids[0]!);
    while (await purge());
    expect(await left()).toEqual([ids[0]]);
    await unlock();
    while (await purge());
    expect(await left()).toEqual([]);
  });

  const inOneSecond = () => new Date(hooks.service.clock.now().getTime() + 1_000);
  async function addContent(id: string, accountId: string): Promise<void> {
    await hooks.service.query(`INSERT INTO message_contents (message_id, html) VALUES ($1, 'x')`, [id]);
    await hooks.service.query(
      `INSERT INTO message_attachments (group_id, number, part, account_id, filename, content_type, size, bytes)
       VALUES ($1, 1, 0, $2, 'a.txt', 'text/plain', 1, 'x')`,
      [id, accountId],
    );
  }
});
