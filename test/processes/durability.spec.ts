import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Simulator } from '../../src/providers/index.js';
import type { TestAccount, TestKey } from '../support/account.js';
import { BACKENDS } from '../support/delivery-fixture.js';
import { startRedis, type TestRedis } from '../support/redis.js';
import { SimulatorFixture } from '../support/simulator-fixture.js';
import { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

/** As often as a worker could apply the same report at the same time. */
const WORKERS = 4;

describe.each(BACKENDS)('The reports of the simulator, with the queue on %s,', (backend) => {
  let redis: TestRedis | undefined;
  let variables: Record<string, string>;
  let fixture: SimulatorFixture;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    redis = backend === 'Redis' ? await startRedis() : undefined;
    variables = { APP_SECRET: randomBytes(32).toString('hex'), ...(redis && { REDIS_URL: redis.url }) };
    fixture = await SimulatorFixture.start(variables);
    account = await fixture.service.createAccount();
    key = await account.createKey({ mode: 'test' });
  });
  afterAll(async () => {
    await fixture.stop();
    await redis?.stop();
  });

  /** Applies what is due until a report has failed. */
  const isPostponed = async () => {
    await fixture.report();
    return (await fixture.service.query('SELECT FROM simulated_reports WHERE postponed > 0')).length > 0;
  };
  const waiting = () => fixture.service.query('SELECT FROM simulated_reports');
  const sent = async (to: string) => {
    const id = await fixture.send(key, to);
    await fixture.attempted(key, id);
    return id;
  };
  const typesOf = async (id: string) =>
    ((await fixture.read(key, id)).events as { type: string }[]).map(({ type }) => type);

  it('are applied once, although every worker applies what is due', async () => {
    const ids = await Promise.all(['ada', 'opened', 'clicked'].map((name) => sent(`${name}@example.org`)));
    await Promise.all(Array.from({ length: WORKERS }, () => fixture.report()));
    expect(await typesOf(ids[0] ?? '')).toEqual(['sent', 'delivered']);
    expect(await typesOf(ids[1] ?? '')).toEqual(['sent', 'delivered', 'opened']);
    expect(await fixture.read(key, ids[1] ?? '')).toMatchObject({ opens: 1 });
    expect(await typesOf(ids[2] ?? '')).toEqual(['sent', 'delivered', 'clicked']);
    expect(await waiting()).toEqual([]);
  });

  it('are applied by another process, if the one that has sent the message is gone', async () => {
    const id = await sent('unsubscribed@example.org');
    const other = await TestService.start(variables, fixture.service.database);
    other.clock.advance({ minutes: 1 }); // as the clock of the first one has been
    try {
      await fixture.report(other);
    } finally {
      await other.stop();
    }
    expect(await typesOf(id)).toEqual(['sent', 'delivered']);
    expect(await fixture.suppressions(account, '?test=true')).toMatchObject([{ reason: 'unsubscribed' }]);
  });

  it('are neither lost nor repeated if they fail in between', async () => {
    const id = await sent('bounced@example.org');
    await fixture.service.query(
      `CREATE FUNCTION refuse_suppression() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    );
    await fixture.service.query(
      'CREATE TRIGGER refuse_suppression BEFORE INSERT ON suppressions FOR EACH ROW EXECUTE FUNCTION refuse_suppression()',
    );
    const [other] = await Promise.all([sent('ada@example.org'), waitFor('a failure', isPostponed)]);
    expect(await typesOf(id)).toEqual(['sent']);
    await waitFor('the other one', async () => (await typesOf(other)).includes('delivered'));
    await fixture.service.query('DROP FUNCTION refuse_suppression CASCADE');
    fixture.service.clock.advance({ minutes: 1 });
    await waitFor('the report', async () => {
      await fixture.report(); // unless the poll of the service has it
      return (await waiting()).length === 0;
    });
    expect(await typesOf(id)).toEqual(['sent', 'bounced']);
    await fixture.report();
    expect(await typesOf(id)).toEqual(['sent', 'bounced']);
  });

  it('are given up without their message, and delay no others', async () => {
    const ids = [
      await sent('clicked@example.org'),
      await sent('unsubscribed+gone@example.org'),
      await sent('ada@example.org'),
    ];
    await fixture.service.query('DELETE FROM message_logs WHERE id = ANY($1)', [ids.slice(0, 2)]);
    await waitFor('the end of all reports', async () => {
      await fixture.report();
      return (await waiting()).length === 0;
    });
    expect(await typesOf(ids[2] ?? '')).toEqual(['sent', 'delivered']);
  });

  it('are the same if a message is submitted twice', async () => {
    const id = await sent('complained@example.org');
    const [message] = await fixture.service.query<{ accountId: string }>(
      'SELECT account_id AS "accountId" FROM message_logs WHERE id = $1',
      [id],
    );
    const simulator = fixture.service.app.get(Simulator, { strict: false });
    const submission = { id, channel: 'email', recipient: 'complained@example.org', attempt: 2, ...message } as const;
    const submit = () => simulator.submit({ accountId: '', ...submission });
    await submit();
    await fixture.report();
    await submit();
    await fixture.report();
    expect(await typesOf(id)).toEqual(['sent', 'complained']);
    expect(await waiting()).toEqual([]);
  });
});
