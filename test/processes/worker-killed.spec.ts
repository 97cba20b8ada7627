import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Backend, BACKENDS, DeliveryFixture, duplicatesOf } from '../support/delivery-fixture.js';
import { hasRedis } from '../support/redis.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';
import { acceptedAfter } from '../support/smtp-sink.js';

const MESSAGES = 500;
const KILLED_AFTER = 150;
const ANSWER_AFTER_MS = 20;

interface Story {
  accepted: string[];
  arrivals: string[];
  inFlightAtKill: string[];
  sent: string[];
  /** Messages delivered again whose timeline says why. */
  toldOf: string[];
}

async function killAndRestart(fixture: DeliveryFixture): Promise<Story> {
  fixture.relay.answer = (stage) => (stage === 'data' ? acceptedAfter(ANSWER_AFTER_MS) : undefined);
  const url = await fixture.startApi();
  const accepted = await fixture.send(url, MESSAGES);
  const startWorker = () => ServiceProcess.spawn({ ...fixture.variables, ROLE: 'worker' });

  const killed = startWorker();
  await killed.waitFor(`${KILLED_AFTER} mails`, () => fixture.arrivals().length >= KILLED_AFTER);
  await killed.kill('SIGKILL');
  const inFlightAtKill = await fixture.inFlight();

  const worker = startWorker();
  const isDone = async () => (await fixture.pending()).length === 0;
  await worker.waitFor('all outcomes', isDone);
  const arrivals = fixture.arrivals();
  const toldOf: string[] = [];
  for (const id of duplicatesOf(arrivals)) {
    const events = await fixture.timeline(url, id);
    if (events.some(({ type, data }) => type === 'delayed' && data.reason === 'worker_lost')) toldOf.push(id);
  }
  const sent = await fixture.withStatus('sent');
  return { accepted, arrivals, inFlightAtKill, sent, toldOf };
}

const backends = BACKENDS.filter((backend) => backend === 'PostgreSQL' || hasRedis);
const fixtures: DeliveryFixture[] = [];
const stories = new Map<Backend, Promise<Story>>();

/** At the same time: most of it is waiting for leases to end. */
beforeAll(async () => {
  for (const backend of backends) {
    const fixture = await DeliveryFixture.start(backend);
    fixtures.push(fixture);
    stories.set(backend, killAndRestart(fixture));
  }
  await Promise.allSettled(stories.values());
});
afterAll(async () => {
  await killServiceProcesses();
  for (const fixture of fixtures) await fixture.stop();
});

describe.each(BACKENDS)(
  'A worker killed with SIGKILL while sending 500 messages, restarted (queue on %s)',
  (backend) => {
    const run = backends.includes(backend) ? it : it.skip;

    run('delivers all 500', async () => {
      const { accepted, arrivals, sent } = await stories.get(backend)!;
      expect(accepted).toHaveLength(MESSAGES);
      expect(new Set(arrivals)).toEqual(new Set(accepted));
      expect(sent.sort()).toEqual(accepted.sort());
    });

    run('delivers twice only what was in flight, and nothing three times', async () => {
      const { arrivals, inFlightAtKill } = await stories.get(backend)!;
      const repeated = duplicatesOf(arrivals);
      expect(inFlightAtKill).not.toEqual([]);
      expect(repeated.filter((id) => !inFlightAtKill.includes(id))).toEqual([]);
      expect(arrivals).toHaveLength(MESSAGES + repeated.length);
    });

    run('says so on the timeline of each that it delivers twice', async () => {
      const { arrivals, toldOf } = await stories.get(backend)!;
      expect(toldOf.sort()).toEqual(duplicatesOf(arrivals).sort());
    });
  },
);
