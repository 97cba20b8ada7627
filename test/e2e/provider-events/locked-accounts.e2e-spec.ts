import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { lockRows } from '../../support/lock-rows.js';
import { ProviderEvents } from '../../support/provider-events.js';
import { KEYS, SIGN } from '../../support/vendor-posts.js';
import { waitFor } from '../../support/wait-for.js';

/** Batches of this many accounts are written at a time, of reports and of suppressions alike. */
const MAX_CONCURRENT_BATCHES = 4;

/** As a long transaction of the operator locks them. */
describe('While rows of several accounts are locked', () => {
  let events: ProviderEvents;
  let locked: TestAccount[];
  let other: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    locked = await Promise.all(Array.from({ length: MAX_CONCURRENT_BATCHES }, openAccount));
    other = await openAccount();
  });

  async function openAccount(): Promise<TestAccount> {
    const account = await events.service.createAccount();
    const smtp = { host: 'relay.example', port: 587, vendor: 'generic', eventSigningKey: KEYS.generic };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    return account;
  }
  const addMessages = (providerMessageId: string | null = null) =>
    Promise.all([...locked, other].map((account) => events.addMessage(account, { providerMessageId })));
  const bounce = (of: object) => ({ id: 'bounce', type: 'bounced', data: { bounceType: 'hard' }, ...of });
  const report = async (account: TestAccount, event: object) => {
    const { body, headers } = SIGN.generic(event, events.service.clock.now());
    return (await events.postSmtp(account, body, headers)).status;
  };

  /** Locks the rows of these accounts until the returned function is called. */
  async function lock(table: string): Promise<() => Promise<void>> {
    let unlock: () => void = () => undefined;
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    let ended: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      ended = events.service.hold(async () => {
        const ids = locked.map(({ id }) => id);
        await events.service.query(`SELECT 1 FROM ${table} WHERE account_id = ANY ($1) FOR UPDATE`, [ids]);
        resolve();
        await unlocked;
      });
      ended.catch(reject);
    });
    return () => {
      unlock();
      return ended;
    };
  }
  const lockWaits = async () =>
    (
      await events.service.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).length;
  const untilAllWait = () =>
    waitFor('the locked accounts to wait', async () => (await lockWaits()) === MAX_CONCURRENT_BATCHES);
  const requireBounced = async (account: TestAccount, messageId: string) => {
    expect(await events.state(account, messageId)).toMatchObject({ status: 'bounced', events: [{ type: 'bounced' }] });
    expect(await events.outbox(account)).toHaveLength(1);
  };

  it('the reports of another account are stored, and theirs afterwards, once', async () => {
    const ids = await addMessages();
    const unlock = await lock('message_logs');
    const posted = locked.map((account, i) => report(account, bounce({ messageLogId: ids[i] })));
    await untilAllWait();
    expect(await report(other, bounce({ messageLogId: ids.at(-1) }))).toBe(200);
    await unlock();
    expect(await Promise.all(posted)).toEqual(locked.map(() => 200));
    for (const [i, account] of [...locked, other].entries()) await requireBounced(account, ids[i]!);
  });

  it('its reports about other messages are stored while one of its messages stays locked, and that one afterwards', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => events.addMessage(other)));
    const [first, second, ...free] = ids.map((messageLogId) => () => report(other, bounce({ messageLogId })));
    const unlock = await lockRows(events.service, 'SELECT FROM message_logs WHERE id = ANY ($1)', [ids.slice(0, 2)]);
    const waiting = [first!(), second!()];
    try {
      await waitFor('it to wait', async () => (await lockWaits()) === 1);
      expect(await Promise.all(free.map((post) => post()))).toEqual([200, 200]);
    } finally {
      await unlock();
    }
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    for (const id of ids) expect(await events.state(other, id)).toMatchObject({ status: 'bounced' });
  });

  it('addresses of another account are suppressed, and theirs afterwards, once', async () => {
    const contact = { email: 'ada@example.org' };
    for (const account of locked) await account.asAdmin('post', '/api/contacts').send(contact).expect(201);
    const suppress = async (account: TestAccount) =>
      (await account.asAdmin('post', '/api/suppressions').send(contact)).status;
    const unlock = await lock('contacts');
    const suppressed = locked.map(suppress);
    await untilAllWait();
    expect(await suppress(other)).toBe(201);
    await unlock();
    expect(await Promise.all(suppressed)).toEqual(locked.map(() => 201));
    for (const account of locked) {
      expect(await events.suppressions(account)).toHaveLength(1);
      expect(await events.outbox(account)).toHaveLength(1);
    }
  });

  it('unmatched events of another account are matched, and theirs afterwards', async () => {
    const accounts = [...locked, other];
    for (const account of accounts) expect(await report(account, bounce({ providerMessageId: 'early' }))).toBe(200);
    const ids = await addMessages('early');
    events.service.clock.advance({ seconds: 10 });
    const unlock = await lock('message_logs');
    await expect(events.match()).rejects.toThrow('lock timeout');
    await requireBounced(other, ids.at(-1)!);
    await unlock();
    await events.match();
    for (const [i, account] of accounts.entries()) await requireBounced(account, ids[i]!);
  });
});
