import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { DeliveryFixture } from '../support/delivery-fixture.js';
import { killServiceProcesses, type ServiceProcess, startListening } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';

jest.setTimeout(120_000);

const MESSAGES = 20;
const SKEW_MS = 60_000;
const AHEAD_MS = 6_000;
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
  const schedule = async (at: number) => {
    const sends = Array.from({ length: MESSAGES }, (_, i) =>
      fixture.sendMail(url, { to: `r${i}@example.org`, scheduledAt: new Date(at).toISOString() }),
    );
    return (await Promise.all(sends)).map(({ messageLogId }) => messageLogId);
  };
  const allSent = (of: ServiceProcess) =>
    of.waitFor('all outcomes', async () => (await fixture.pending()).length === 0, 60_000);

  it('wait for their time while workers are killed and started again, and are sent once', async () => {
    const at = Date.now() + AHEAD_MS;
    const ids = await schedule(at);
    await (await worker()).kill('SIGKILL');
    await waitFor('the scheduled time', () => Date.now() > at);
    const second = await worker();
    await allSent(second);
    await second.kill('SIGKILL');
    expect(fixture.arrivals().sort()).toEqual(ids.sort());
    expect(Math.min(...arrivedAt)).toBeGreaterThanOrEqual(at);
  });

  it('are not early if the clock of a worker is ahead, nor held up if it is behind', async () => {
    const shifted = (shiftMs: number) =>
      worker({ NODE_OPTIONS: `--import ${SHIFT_CLOCK.href}`, CLOCK_SHIFT_MS: String(shiftMs) });
    const ahead = await shifted(SKEW_MS);
    const at = Date.now() + AHEAD_MS;
    const ids = await schedule(at);
    await allSent(ahead);
    await ahead.kill('SIGKILL');
    expect(fixture.arrivals().sort()).toEqual(ids.sort());
    expect(Math.min(...arrivedAt)).toBeGreaterThanOrEqual(at);
    const behind = await shifted(-SKEW_MS);
    await schedule(Date.now() + 1_000);
    await allSent(behind);
    await behind.kill('SIGKILL');
    expect(fixture.arrivals()).toHaveLength(2 * MESSAGES);
  });
});
