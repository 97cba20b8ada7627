import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import {
  ErasedSuppressions,
  SuppressionRepository,
} from '../../../src/modules/suppression/application/ports/suppression.repository.js';
import { Suppression } from '../../../src/modules/suppression/domain/suppression.js';
import {
  LeaseLostError,
  OptOutSyncRepository,
} from '../../../src/modules/sms/application/ports/opt-out-sync.repository.js';
import { OptedOutNumbers } from '../../../src/modules/sms/application/ports/opted-out-numbers.js';
import type { SyncPass } from '../../../src/modules/sms/application/ports/opt-out-sync.repository.js';
import { TwoAccounts } from '../../support/two-accounts.js';

const EMAIL = 'ada@example.org';
const NUMBER = '+4915112345678';
const PAGE = { page: 1, limit: 100 };

let accounts: TwoAccounts;
let suppressions: SuppressionRepository;

beforeAll(async () => {
  accounts = await TwoAccounts.start();
  suppressions = accounts.get(SuppressionRepository);
});
afterAll(() => accounts.stop());

const entryOf = (accountId: string, changes: Partial<Suppression> = {}): Suppression =>
  Object.assign(
    Suppression.create(
      accounts.newId(),
      { accountId, channel: 'email', address: EMAIL, reason: 'manual', source: 'dashboard' },
      accounts.now,
    )!,
    changes,
  );

const add = async (...entries: Suppression[]) =>
  accounts.service.database.run(() => suppressions.addAcrossAccounts(entries));

const refusal = (accountId: string) =>
  suppressions.findRefusal({ accountId, channel: 'email', address: EMAIL, campaignId: null, topicId: null });

describe('An entry of another account', () => {
  let entry: Suppression;

  beforeEach(async () => {
    await accounts.service.query('DELETE FROM suppressions');
    entry = entryOf(accounts.other.id);
    await add(entry);
  });

  it('suppresses nothing', async () => {
    await accounts.expectClosed((accountId) => refusal(accountId), null);
    await accounts.expectClosed((accountId) => suppressions.find(accountId, 'email', EMAIL), null);
    await accounts.expectClosed((accountId) => suppressions.findReasons(accountId, 'email', [EMAIL]), new Map());
  });

  it('is not read', async () => {
    await accounts.expectClosed((accountId) => suppressions.findById(accountId, entry.id), null);
    expect(await suppressions.list(accounts.own.id, {}, PAGE)).toMatchObject({ items: [], total: 0 });
    await accounts.expectClosed((accountId) => suppressions.listAfter(accountId, {}, '', 10), []);
  });

  it('is not removed', async () => {
    await accounts.expectClosed((accountId) => suppressions.remove(accountId, entry.id, {}), null);
  });

  it('is neither erased nor removed by its address', async () => {
    const erased = accounts.get(ErasedSuppressions);
    await accounts.expectClosed((accountId) => erased.suppress(accountId, EMAIL, accounts.newId(), accounts.now));
    await add(Object.assign(entry, { id: accounts.newId(), address: 'grace@example.org' }));
    await accounts.expectClosed((accountId) => erased.remove(accountId, 'grace@example.org'));
  });

  it('with the same address is returned once for each account that changes it', async () => {
    await add(entryOf(accounts.own.id));
    const stronger = accounts.both.map(({ id }) => entryOf(id, { reason: 'complained', source: 'provider' }));
    const written = await add(...stronger);
    expect(written.map(({ suppression, former }) => [suppression.accountId, former?.reason]).sort()).toEqual(
      accounts.both.map(({ id }) => [id, 'manual']).sort(),
    );
  });

  it('is not removed by the opt-out sync', async () => {
    await add(entryOf(accounts.other.id, { channel: 'sms', address: NUMBER, source: 'sms_sync' }));
    await accounts.expectClosed((accountId) => suppressions.removeSynced(accountId, [NUMBER]), 0);
  });

  it('is not counted for a campaign of the same id', async () => {
    const campaignId = accounts.newId();
    for (const { id } of accounts.both)
      await add(entryOf(id, { address: 'c@example.org', reason: 'unsubscribed', source: 'one_click', campaignId }));
    expect(await suppressions.countUnsubscribed(accounts.own.id, [campaignId])).toEqual(new Map([[campaignId, 1]]));
  });
});

describe('An erased entry of another account', () => {
  let contactId: string;

  /** The hash is different for each account; here the other one has that of the own one. */
  beforeEach(async () => {
    await accounts.service.query('DELETE FROM suppressions');
    contactId = accounts.newId();
    await accounts.get(ErasedSuppressions).suppress(accounts.other.id, EMAIL, contactId, accounts.now);
    await accounts.service.query('UPDATE suppressions SET address_hash = $1::bytea', [
      suppressions.hashOf(accounts.own.id, 'email', EMAIL),
    ]);
  });

  it('is not found by its contact', () =>
    accounts.expectClosed(
      (accountId) => accounts.get(ErasedSuppressions).isErasedContact(accountId, contactId),
      false,
    ));

  it('suppresses nothing, even with the same hash', async () => {
    expect(await refusal(accounts.own.id)).toBeNull();
    expect(await suppressions.find(accounts.own.id, 'email', EMAIL)).toBeNull();
    await accounts.get(ErasedSuppressions).suppress(accounts.own.id, 'grace@example.org', contactId, accounts.now);
    expect(await suppressions.findReasons(accounts.own.id, 'email', [EMAIL])).toEqual(new Map());
  });

  it('keeps no address from being suppressed', async () => {
    expect(await add(entryOf(accounts.own.id))).toHaveLength(1);
  });

  it('keeps no message from being accepted', async () => {
    await accounts.own.verifySender('hello@example.com');
    const { secret } = await accounts.own.createKey();
    await accounts.service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', secret)
      .send({ fromEmail: 'hello@example.com', to: EMAIL, subject: 'Hi', text: 'Hi' })
      .expect(201);
  });
});

describe('The opt-out sync of another account', () => {
  let syncs: OptOutSyncRepository;
  let numbers: OptedOutNumbers;
  let pass: SyncPass;

  beforeEach(async () => {
    [syncs, numbers] = [accounts.get(OptOutSyncRepository), accounts.get(OptedOutNumbers)];
    for (const table of ['sms_opted_out_numbers', 'sms_opt_out_syncs'])
      await accounts.service.query(`DELETE FROM ${table}`);
    for (const { id } of accounts.both) await syncs.claim(id, 'source', accounts.now);
    // The same lease, so that the account alone tells them apart.
    await accounts.service.query(`UPDATE sms_opt_out_syncs SET lease_holder = $1, round = $1`, [accounts.newId()]);
    const [row] = await accounts.service.query<{ holder: string }>(
      'SELECT lease_holder AS holder FROM sms_opt_out_syncs LIMIT 1',
    );
    pass = { accountId: accounts.other.id, leaseHolder: row!.holder, passId: row!.holder, nextToken: null };
  });

  const later = () => new Date(accounts.now.getTime() + 1_000);
  const PAGE_OF_LIST = { numbers: [NUMBER], nextToken: 'next', added: 1 };
  const record = (accountId: string) =>
    accounts.service.database.run(() => numbers.recordPage({ ...pass, accountId }, PAGE_OF_LIST));
  /** Calls it with the own account while both have the lease: the other one's sync must not change. */
  async function expectOwnOnly(work: (own: SyncPass) => Promise<unknown>) {
    const rows = (accountId: string) =>
      accounts.service.query('SELECT * FROM sms_opt_out_syncs WHERE account_id = $1', [accountId]);
    const before = [await rows(accounts.own.id), await rows(accounts.other.id)];
    await work({ ...pass, accountId: accounts.own.id });
    expect(await rows(accounts.other.id)).toEqual(before[1]);
    expect(await rows(accounts.own.id)).not.toEqual(before[0]);
  }

  it('is not begun or resumed with the own one', async () => {
    const claim = () => syncs.claim(accounts.own.id, 'source', accounts.now);
    await accounts.service.query(`UPDATE sms_opt_out_syncs SET lease_ends_at = '-infinity'`);
    await expectOwnOnly(claim);
    await accounts.service.query(`UPDATE sms_opt_out_syncs SET next_token = 'token', lease_ends_at = NULL`);
    await expectOwnOnly(claim);
  });

  it('does not hold the lease of the own one', async () => {
    await syncs.release({ ...pass, accountId: accounts.own.id });
    // Whichever row PostgreSQL reads first.
    for (const order of ['ASC', 'DESC'])
      await accounts.service.query(
        `UPDATE sms_opt_out_syncs SET added = added WHERE account_id = (
           SELECT account_id FROM sms_opt_out_syncs ORDER BY account_id ${order} LIMIT 1)`,
      );
    expect(await syncs.claim(accounts.own.id, 'source', accounts.now)).not.toBeNull();
    await syncs.release({ ...pass, accountId: accounts.other.id });
    expect(await syncs.claim(accounts.other.id, 'source', accounts.now)).not.toBeNull();
  });

  it.each<[string, (own: SyncPass) => Promise<unknown>]>([
    ['renewed', (own) => syncs.renew(own)],
    ['restarted', (own) => syncs.restart(own, later())],
    ['completed', (own) => syncs.complete(own, later())],
    ['released', (own) => syncs.release(own)],
    ['failed', (own) => syncs.recordFailure(own, 'refused')],
    ['advanced', ({ accountId }) => record(accountId)],
  ])('is not %s with the own one', (_, work) => expectOwnOnly(work));

  it('is not shown', async () => {
    await syncs.recordFailure(pass, 'theirs');
    expect((await syncs.get(accounts.own.id)).error).toBeNull();
    expect((await syncs.get(accounts.other.id)).error).toBe('theirs');
    await syncs.recordFailure({ ...pass, accountId: accounts.own.id }, 'ours');
    expect((await syncs.get(accounts.other.id)).error).toBe('theirs');
  });

  it('keeps its numbers', async () => {
    await record(accounts.other.id);
    const next = (accountId: string) => ({ ...pass, accountId, passId: accounts.newId() });
    await accounts.expectClosed((accountId) => numbers.findMissing(next(accountId), 10), []);
    await accounts.expectClosed((accountId) => numbers.removeMissing(next(accountId), [NUMBER]));
    await record(accounts.other.id);
    await syncs.release({ ...pass, accountId: accounts.own.id });
    await syncs.release(pass);
    await accounts.expectClosed((accountId) => syncs.claim(accountId, 'another source', later()).then(() => undefined));
  });

  it('is lost with its own lease only', async () => {
    await syncs.release(pass);
    await expect(record(accounts.other.id)).rejects.toThrow(LeaseLostError);
    await record(accounts.own.id);
  });
});
