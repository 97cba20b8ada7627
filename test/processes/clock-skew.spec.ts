import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DeliveryFixture, duplicatesOf } from '../support/delivery-fixture.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';
import { acceptedAfter } from '../support/smtp-sink.js';

const MESSAGES = 300;
const SKEW_MS = 60_000;
/** Slow enough that messages are in flight when the sweep comes, every 5 s. */
const ANSWER_AFTER_MS = 700;
const SHIFT_CLOCK = new URL('../support/shift-clock.mjs', import.meta.url);

describe('Two workers, the clock of one a minute ahead and that of the other a minute behind', () => {
  let fixture: DeliveryFixture;

  beforeAll(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    fixture.relay.answer = (stage) => (stage === 'data' ? acceptedAfter(ANSWER_AFTER_MS) : undefined);
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
  });

  const startWorker = (shiftMs: number) =>
    ServiceProcess.spawn({
      ...fixture.variables,
      ROLE: 'worker',
      NODE_OPTIONS: `--import ${SHIFT_CLOCK.href}`,
      CLOCK_SHIFT_MS: String(shiftMs),
    });

  it('send 300 messages, each once', async () => {
    const url = await fixture.startApi();
    const behind = startWorker(-SKEW_MS);
    const first = await fixture.sendOne(url, 'first@example.org');
    await behind.waitFor('the worker to deliver', () => fixture.arrivals().includes(first.messageLogId));
    const ahead = startWorker(SKEW_MS);
    const accepted = [first.messageLogId, ...(await fixture.send(url, MESSAGES - 1))];
    const isDone = async () => (await fixture.pending()).length === 0;
    await ahead.waitFor('all outcomes', isDone);
    expect(duplicatesOf(fixture.arrivals())).toEqual([]);
    expect(fixture.arrivals().sort()).toEqual(accepted.sort());
    expect(await fixture.column(`SELECT id FROM email_events WHERE data ->> 'reason' = 'worker_lost'`)).toEqual([]);
  });
});
