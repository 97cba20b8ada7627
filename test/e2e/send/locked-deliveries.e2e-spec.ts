import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DeliverMessages } from '../../../src/modules/sending/application/deliver-messages.service.js';
import { lockRows } from '../../support/lock-rows.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const MAIL = { text: 'Hello' };
const DELIVERY = 'SELECT FROM pending_deliveries WHERE message_id = $1';
const LOG = 'SELECT FROM message_logs WHERE id = $1';

/** Many accounts share the statements that renew leases and record outcomes. */
describe('While somebody has locked a message that is being sent', () => {
  let fixture: RelayFixture;
  let busy: SendingAccount;
  let other: SendingAccount;
  /** Lets the relay accept the mails that it has been offered. */
  let accept: () => void;
  let unlock: () => Promise<void>;
  let offered: number;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    [busy, other] = [await fixture.open(), await fixture.open()];
  });
  afterAll(() => fixture.stop());
  beforeEach(() => {
    fixture.relay.reset();
    offered = 0;
    const accepted = new Promise<undefined>((resolve) => {
      accept = () => {
        resolve(undefined);
      };
    });
    fixture.relay.answer = (stage) => {
      if (stage !== 'data') return undefined;
      offered += 1;
      return accepted;
    };
    unlock = () => Promise.resolve();
  });
  afterEach(() => unlock());

  const lock = async (select: string, id: string) => {
    const release = await lockRows(fixture.service, select, [id]);
    unlock = () => {
      unlock = () => Promise.resolve();
      return release();
    };
  };
  const sendBoth = async (): Promise<[string, string]> => {
    const ids: [string, string] = [await busy.send(MAIL), await other.send(MAIL)];
    await waitFor('both mails to be offered', () => offered === 2);
    return ids;
  };
  const statusOf = async (account: SendingAccount, id: string) => (await account.read(id)).status as string;
  const leaseEnds = async (ids: string[]) =>
    (
      await fixture.service.query<{ endsAt: Date }>(
        `SELECT lease_ends_at AS "endsAt" FROM unnest($1::text[]) WITH ORDINALITY AS w (id, position)
         JOIN pending_deliveries ON message_id = w.id ORDER BY position`,
        [ids],
      )
    ).map(({ endsAt }) => endsAt.getTime());

  it.each([
    ['delivery', DELIVERY],
    ['log', LOG],
  ])('the outcomes of other messages are recorded (%s)', async (_, select) => {
    const [locked, free] = await sendBoth();
    await lock(select, locked);
    accept();
    await waitFor('the other message to be sent', async () => (await statusOf(other, free)) === 'sent');
    expect(await statusOf(busy, locked)).toBe('sending');
    await unlock();
    await waitFor('the message to be sent', async () => (await statusOf(busy, locked)) === 'sent');
    expect(fixture.relay.received()).toHaveLength(2);
  });

  it('the leases of other messages are renewed, and its own by the next renewal', async () => {
    const deliver = fixture.service.app.get(DeliverMessages, { strict: false });
    const ids = await sendBoth();
    const [lockedUntil = 0, freeUntil = 0] = await leaseEnds(ids);
    await lock(DELIVERY, ids[0]);
    await deliver.renewLeases();
    const [stillLockedUntil, renewedUntil] = await leaseEnds(ids);
    expect(stillLockedUntil).toBe(lockedUntil);
    expect(renewedUntil).toBeGreaterThan(freeUntil);
    await unlock();
    await deliver.renewLeases();
    expect((await leaseEnds(ids))[0]).toBeGreaterThan(lockedUntil);
    accept();
    for (const [account, id] of [
      [busy, ids[0]],
      [other, ids[1]],
    ] as const)
      await waitFor('the message to be sent', async () => (await statusOf(account, id)) === 'sent');
    expect(fixture.relay.received()).toHaveLength(2);
  });

  it('a hard bounce waits for it', async () => {
    fixture.relay.answer = (stage) => (stage === 'rcpt' ? bounce : undefined);
    let refuse: () => void = () => undefined;
    const bounce = new Promise<{ code: number; message: string }>((resolve) => {
      refuse = () => {
        resolve({ code: 550, message: '5.1.1 No such user' });
      };
    });
    const id = await busy.send({ ...MAIL, to: 'nobody@example.org' });
    await waitFor('the message to be sending', async () => (await statusOf(busy, id)) === 'sending');
    await lock(DELIVERY, id);
    refuse();
    await waitFor('the outcome to wait', async () => {
      const { rows } = await fixture.service.database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await unlock();
    await waitFor('the bounce', async () => (await statusOf(busy, id)) === 'bounced');
  });
});
