import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { MAX_ATTEMPTS_PER_ENDPOINT } from '../../src/config/limits.js';
import { BACKENDS, duplicatesOf } from '../support/delivery-fixture.js';
import { hasRedis } from '../support/redis.js';
import { killServiceProcesses, type ServiceProcess } from '../support/service-process.js';
import { WebhookProcesses } from '../support/webhook-processes.js';

/** A blocked RECORD statement, of which PostgreSQL shows the beginning. */
const WAITS_FOR_LOCK = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH attempt AS%'`;

/** The sweeps of the next quarter of an hour are taken for done. */
const NO_SWEEP_MEANWHILE = `INSERT INTO schedule_runs (name, bucket)
  SELECT 'sweep-webhooks', to_timestamp((floor(extract(epoch FROM now()) / 5) + n) * 5) FROM generate_series(0, 180) n
  ON CONFLICT DO NOTHING`;

afterAll(killServiceProcesses);

describe.each(BACKENDS)('Webhook workers in separate processes (queue on %s)', (backend) => {
  const isHere = backend === 'PostgreSQL' || hasRedis;
  const run = isHere ? it : it.skip;
  let fixture: WebhookProcesses;
  const workers: ServiceProcess[] = [];

  beforeAll(async () => {
    if (isHere) fixture = await WebhookProcesses.start(backend);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.kill('SIGKILL');
  });
  afterAll(async () => {
    if (isHere) await fixture.stop();
  });

  function startWorker(): ServiceProcess {
    const worker = fixture.startWorker();
    workers.push(worker);
    return worker;
  }
  const endpointOf = (id: string) => fixture.query('SELECT FROM webhook_deliveries WHERE endpoint_id = $1', [id]);
  const allDelivered = async () => {
    const { delivered, ...others } = await fixture.states();
    return delivered !== undefined && Object.keys(others).length === 0;
  };
  const emailOf = ({ body }: { body: string }) => (JSON.parse(body) as { data: { email: string } }).data.email;

  run('attempt each event once, without waiting for a sweep, if there are two', async () => {
    const [first, second] = [startWorker(), startWorker()];
    await fixture.addEndpoint('/warm-up');
    await fixture.suppress(1);
    for (const worker of [first, second]) await worker.waitForOutput(/Working on the queues/);
    await first.waitFor('the first delivery', async () => (await fixture.receiver.received('/warm-up')).length > 0);

    const id = await fixture.addEndpoint('/both');
    const emails: string[] = [];
    await fixture.query(NO_SWEEP_MEANWHILE);
    for (let i = 0; i < 10; i++) {
      emails.push(...(await fixture.suppress(1)));
      await fixture.receiver.waitForPosts(emails.length, '/both');
    }
    await fixture.query('DELETE FROM schedule_runs');
    emails.push(...(await fixture.suppress(500)));
    const areAllThere = async () => (await endpointOf(id)).length === emails.length;
    await first.waitFor('all outcomes', async () => (await areAllThere()) && (await allDelivered()));
    const posts = await fixture.receiver.received('/both');
    expect(posts.map(emailOf).sort()).toEqual(emails.sort());
    expect(posts.every(({ signature }) => signature === 'valid')).toBe(true);
    expect(duplicatesOf(posts.map(({ headers }) => headers['x-service-delivery']!))).toEqual([]);
  });

  run('repeat a delivery if one is killed between the response and its record', async () => {
    const id = await fixture.addEndpoint('/killed');
    await fixture.receiver.answer('/killed', { status: 200, isHeld: true }, 200);
    const killed = startWorker();
    await fixture.suppress(1);
    const [post] = await fixture.receiver.waitForPosts(1, '/killed');
    await fixture.withTableLocked('webhook_attempts', async () => {
      await fixture.receiver.release('/killed');
      await killed.waitFor('the answer', async () => (await fixture.receiver.received('/killed'))[0]?.isAnswered);
      await killed.waitFor('the record to wait', async () => (await fixture.query(WAITS_FOR_LOCK)).length > 0);
      await killed.kill('SIGKILL');
      // PostgreSQL would still execute the statements that the process sent before it ended.
      await fixture.query(`SELECT pg_terminate_backend(pid) FROM (${WAITS_FOR_LOCK}) AS waiting`);
    });
    await fixture.query('UPDATE webhook_deliveries SET due_at = now() WHERE claim_id IS NOT NULL'); // its lease ends
    const worker = startWorker();
    await worker.waitFor('the repetition', allDelivered);
    const posts = await fixture.receiver.received('/killed');
    expect(posts.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    expect(posts.map(({ body }) => body)).toEqual([post!.body, post!.body]);
    const { items } = (await fixture.get(`/api/webhooks/${id}/deliveries`)) as { items: { id: string }[] };
    const { attempts } = (await fixture.get(`/api/webhooks/deliveries/${items[0]!.id}`)) as { attempts: object[] };
    expect(attempts).toMatchObject([
      {
        id: posts[0]!.headers['x-service-delivery'],
        number: 1,
        statusCode: null,
        error: expect.stringMatching(/lost/),
      },
      { id: posts[1]!.headers['x-service-delivery'], number: 2, statusCode: 200, error: null },
    ]);
  });

  run('finish the attempts under way on a stop, and the next one continues', async () => {
    const id = await fixture.addEndpoint('/stopped');
    // Each success allows one more at a time, until all places are taken.
    const answered = Array.from({ length: MAX_ATTEMPTS_PER_ENDPOINT }, () => 200);
    await fixture.receiver.answer('/stopped', ...answered, { status: 200, isHeld: true });
    const stopped = startWorker();
    const emails = await fixture.suppress(600);
    await stopped.waitFor(
      'posts in all places',
      async () => (await fixture.receiver.received('/stopped')).length === 2 * MAX_ATTEMPTS_PER_ENDPOINT,
    );
    stopped.signal('SIGTERM');
    await fixture.receiver.release('/stopped');
    expect(await stopped.waitForExit()).toEqual({ code: 0, signal: null });
    const { in_progress: inProgress, pending } = await fixture.states();
    expect(inProgress).toBeUndefined();
    expect(pending).toBeGreaterThan(0);

    await fixture.receiver.answer('/stopped', 200);
    const worker = startWorker();
    await worker.waitFor('all outcomes', async () => (await endpointOf(id)).length === 600 && (await allDelivered()));
    expect((await fixture.receiver.received('/stopped')).map(emailOf).sort()).toEqual(emails.sort());
    expect(
      await fixture.query('SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND attempts <> 1', [id]),
    ).toEqual([]);
  });
});
