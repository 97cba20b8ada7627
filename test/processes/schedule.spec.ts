import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DeliveryFixture } from '../support/delivery-fixture.js';
import { inHours, RESCHEDULE } from '../support/schedules.js';
import { killServiceProcesses, type ServiceProcess, startListening } from '../support/service-process.js';

const MESSAGES = 20;
const SKEW_MS = 60_000;
const SHIFT_CLOCK = new URL('../support/shift-clock.mjs', import.meta.url);

describe('Scheduled messages', () => {
  let fixture: DeliveryFixture;
  let url: string;
  let arrivedAt: number[];

  beforeAll(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    url = await fixture.startApi();
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
  });
  beforeEach(() => {
    arrivedAt = [];
    fixture.relay.reset();
    fixture.relay.answer = (stage) => {
      if (stage === 'mail') arrivedAt.push(Date.now());
      return undefined;
    };
  });

  const worker = async (variables: Record<string, string> = {}) =>
    (await startListening({ ...fixture.variables, ROLE: 'worker', ...variables })).process;
  const schedule = async () => {
    const sends = Array.from({ length: MESSAGES }, (_, i) =>
      fixture.sendMail(url, { to: `r${i}@example.org`, scheduledAt: inHours(1) }),
    );
    return (await Promise.all(sends)).map(({ messageLogId }) => messageLogId);
  };
  /** Moves the messages to this time from now, which is returned. */
  const dueIn = async (seconds: number, ids: readonly string[]) =>
    new Date((await fixture.column(RESCHEDULE, [ids, seconds]))[0]!).getTime();
  const allSent = (of: ServiceProcess) =>
    of.waitFor('all outcomes', async () => (await fixture.pending()).length === 0);

  it('wait for their time while workers are killed and started again, and are sent once', async () => {
    const ids = await schedule();
    await (await worker()).kill('SIGKILL');
    const second = await worker();
    const at = await dueIn(2, ids);
    await allSent(second);
    await second.kill('SIGKILL');
    expect(fixture.arrivals().sort()).toEqual(ids.sort());
    expect(Math.min(...arrivedAt)).toBeGreaterThanOrEqual(at);
  });

  it('are not early if the clock of a worker is ahead, nor held up if it is behind', async () => {
    const shifted = (shiftMs: number) =>
      worker({ NODE_OPTIONS: `--import ${SHIFT_CLOCK.href}`, CLOCK_SHIFT_MS: String(shiftMs) });
    const ahead = await shifted(SKEW_MS);
    const ids = await schedule();
    const at = await dueIn(2, ids);
    await allSent(ahead);
    await ahead.kill('SIGKILL');
    expect(fixture.arrivals().sort()).toEqual(ids.sort());
    expect(Math.min(...arrivedAt)).toBeGreaterThanOrEqual(at);
    const behind = await shifted(-SKEW_MS);
    await dueIn(1, await schedule());
    await allSent(behind);
    await behind.kill('SIGKILL');
    expect(fixture.arrivals()).toHaveLength(2 * MESSAGES);
  });
});
