import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { DeliveryFixture, duplicatesOf } from '../support/delivery-fixture.js';
import { killServiceProcesses, type ServiceProcess, startListening } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';

const BATCHES = 20;
const MESSAGES = 25;
const RECIPIENTS = Array.from({ length: MESSAGES }, (_, i) => `r${i}@example.org`);

interface Batch {
  queued: number;
  results: { messageLogId: string }[];
}

describe('A process killed in the middle of a batch with an Idempotency-Key', () => {
  let fixture: DeliveryFixture;
  let other: string;
  let url: string;
  let process: ServiceProcess;

  beforeAll(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    other = await fixture.startApi();
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
  });
  beforeEach(async () => {
    ({ url, process } = await startListening({ ...fixture.variables, ROLE: 'api' }));
  });

  const post = (to: string, key: string) => fixture.postBatch(to, RECIPIENTS, { 'Idempotency-Key': key });
  const accepted = async (response: Response) => {
    expect(response.status).toBe(201);
    return (await response.json()) as Batch;
  };
  const idsOf = ({ results }: Batch) => results.map(({ messageLogId }) => messageLogId);
  const waiting = () => fixture.column(WAITING);

  it('has stored nothing before the commit; the repeated request stores it', async () => {
    const locker = new Client({ connectionString: fixture.variables.DATABASE_URL! });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE idempotency_keys IN EXCLUSIVE MODE');
    const lost = post(url, 'before').catch(() => 'no answer');
    const [pid] = await process.waitFor('the messages before the key', async () => {
      const pids = await waiting();
      return pids.length > 0 && pids;
    });
    await process.kill('SIGKILL');
    expect(await lost).toBe('no answer');
    await locker.query('ROLLBACK');
    await locker.end();
    await waitFor('the end of the transaction', async () => (await fixture.column(RUNNING, [pid])).length === 0);
    expect(await fixture.pending()).toEqual([]);
    expect(await fixture.column('SELECT used::text FROM daily_usage WHERE used > 0')).toEqual([]);
    const response = await post(other, 'before');
    expect(response.headers.get('Idempotent-Replayed')).toBeNull();
    const ids = idsOf(await accepted(response));
    expect((await fixture.pending()).sort()).toEqual(ids.sort());
  });

  it('has stored none or all of each; repeated requests get the first response and store nothing twice', async () => {
    const before = await fixture.pending();
    const keys = Array.from({ length: BATCHES }, (_, i) => `key-${i}`);
    const responses = Promise.all(
      keys.map(async (key) =>
        post(url, key)
          .then(accepted)
          .catch(() => undefined),
      ),
    );
    await process.waitFor('some messages', async () => (await fixture.pending()).length > before.length);
    await process.kill('SIGKILL');
    const first = await responses;
    await waitFor('the end of its transactions', async () => (await fixture.column(IN_TRANSACTION)).length === 0);
    const stored = (await fixture.pending()).filter((id) => !before.includes(id));
    expect(stored.length % MESSAGES).toBe(0);
    const again = await Promise.all(keys.map(async (key) => accepted(await post(other, key))));
    const ids = again.flatMap(idsOf);
    expect(again.map(({ queued }) => queued)).toEqual(keys.map(() => MESSAGES));
    expect(first.map((batch, i) => batch ?? again[i])).toEqual(again);
    expect(duplicatesOf(ids)).toEqual([]);
    expect(stored.filter((id) => !ids.includes(id))).toEqual([]);
    expect((await fixture.pending()).sort()).toEqual([...before, ...ids].sort());
  });
});

const WAITING = `
  SELECT pid::text FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%idempotency_keys%'`;
/** $1 a process of the database. */
const RUNNING = 'SELECT pid FROM pg_stat_activity WHERE pid::text = $1';
const IN_TRANSACTION = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`;
