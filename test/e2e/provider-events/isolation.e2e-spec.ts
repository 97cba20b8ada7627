import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { ProviderEvents } from '../../support/provider-events.js';
import { raceBehind } from '../../support/race.js';
import { KEYS, SIGN } from '../../support/vendor-posts.js';
import { waitFor } from '../../support/wait-for.js';

const KEPT = 1_000;

describe('The events of an account', () => {
  let events: ProviderEvents;
  let account: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    account = await openAccount();
    other = await openAccount();
  });

  async function openAccount(): Promise<TestAccount> {
    const opened = await events.service.createAccount();
    const smtp = { host: 'relay.example', port: 587, vendor: 'generic', eventSigningKey: KEYS.generic };
    await opened.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    return opened;
  }
  const post = (to: TestAccount, event: object) => {
    const { body, headers } = SIGN.generic(event, events.service.clock.now());
    return events.postSmtp(to, body, headers);
  };
  const bounce = (messageLogId: string, id = 'bounce') => ({
    id,
    type: 'bounced',
    messageLogId,
    data: { bounceType: 'hard' },
  });
  const hold = () => events.service.query('SELECT pg_advisory_xact_lock(7203118, hashtext($1))', [account.id]);
  const count = async (table: string) => {
    const text = `SELECT count(*)::integer AS count FROM ${table} WHERE account_id = $1`;
    return (await events.service.query<{ count: number }>(text, [account.id]))[0]?.count;
  };

  it('do not wait for the events of another account', async () => {
    const id = await events.addMessage(account);
    const [theirs, ours] = [await events.addMessage(other), [] as number[]];
    const [answer] = await raceBehind(events.service, hold, [
      async () => {
        const waiting = post(account, bounce(id));
        ours.push((await post(other, bounce(theirs))).status);
        return waiting;
      },
    ]);
    expect([ours, answer?.status]).toEqual([[200], 200]);
  });

  it('fail alone, with Retry-After, if the database is slow', async () => {
    const id = await events.addMessage(account);
    const slow = `CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF new.account_id = '${account.id}' THEN RAISE query_canceled; END IF; RETURN new; END $$`;
    await events.service.query(slow);
    await events.service.query(
      'CREATE TRIGGER take_long BEFORE INSERT ON suppressions FOR EACH ROW EXECUTE FUNCTION take_long()',
    );
    try {
      const [mine, theirs] = await Promise.all([
        post(account, bounce(id)),
        post(other, bounce(await events.addMessage(other))),
      ]);
      expect([mine.status, mine.headers.get('retry-after'), theirs.status]).toEqual([503, '1', 200]);
    } finally {
      await events.service.query('DROP FUNCTION take_long CASCADE');
    }
    expect((await post(account, bounce(id))).status).toBe(200);
    expect(await events.suppressions(account)).toHaveLength(1);
  });

  it('are stored in parts if the post is large, and once if it is repeated', async () => {
    const id = await events.addMessage(account);
    const strays = Array.from({ length: 2_500 }, (_, i) => ({
      id: `stray ${i}`,
      type: 'bounced',
      providerMessageId: `theirs ${i}`,
    }));
    const large = [...strays, bounce(id)];
    const responses = await Promise.all([post(account, large), post(account, large), post(other, strays)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await count('unmatched_events')).toBe(2_500);
    expect(await count('suppressions')).toBe(1);
    expect(await events.outbox(account)).toHaveLength(1);
  });

  it('are kept up to a bound and counted beyond it if they are opens and clicks', async () => {
    const id = await events.addMessage(account);
    const clicks = Array.from({ length: KEPT - 1 }, (_, i) => ({
      id: `click ${i}`,
      type: 'clicked',
      messageLogId: id,
    }));
    expect((await post(account, clicks)).status).toBe(200);
    const opens = Array.from({ length: 5 }, (_, i) => ({ id: `open ${i}`, type: 'opened', messageLogId: id }));
    const automated = { id: 'robot', type: 'opened', messageLogId: id, data: { automated: true } };
    expect((await post(account, [...opens, ...opens, automated])).status).toBe(200);
    expect((await post(account, [...clicks.slice(0, 3), opens[0]!])).status).toBe(200);
    const delivered = { id: 'delivered', type: 'delivered', messageLogId: id };
    expect((await post(account, delivered)).status).toBe(200);
    const state = await waitFor('the delivery', async () => {
      const { events: timeline, ...counts } = await events.state(account, id);
      return counts.status === 'delivered' ? { ...counts, kept: timeline.length } : undefined;
    });
    expect(state).toEqual({ status: 'delivered', opens: 5, clicks: KEPT - 1, kept: KEPT + 1 });
  });
});
