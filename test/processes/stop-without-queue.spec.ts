import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DeliveryFixture } from '../support/delivery-fixture.js';
import { freePort, hasRedis, startRedis } from '../support/redis.js';
import { ClusterRedis, SentinelRedis } from '../support/redis-servers.js';
import { killServiceProcesses, startListening } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';

const GRACE_MS = 10_000;
const STOPPED = { code: 0, signal: null };

(hasRedis ? describe : describe.skip)('A process that gets SIGTERM while its queue', () => {
  let fixture: DeliveryFixture;
  let redis: { url: string; stop(): Promise<void> } | undefined;
  let proxy: TcpProxy | undefined;

  beforeEach(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
  });
  afterEach(async () => {
    await killServiceProcesses();
    proxy?.stop();
    await redis?.stop();
    [proxy, redis] = [undefined, undefined];
    await fixture.stop();
  });

  const start = (REDIS_URL: string) =>
    startListening({ ...fixture.variables, REDIS_URL, SHUTDOWN_GRACE_MS: String(GRACE_MS) });
  const delivered = (count: number) => waitFor(`${count} mails`, () => fixture.arrivals().length === count);

  it.each([
    ['one server', (host: string) => `redis://${host}`],
    ['Sentinels', (host: string) => `redis+sentinel://${host}/master`],
    ['a Cluster', (host: string) => `redis+cluster://${host}`],
  ])('was never there ends with 0 (%s)', async (_, urlOf) => {
    const { process } = await start(urlOf(`127.0.0.1:${await freePort()}`));
    process.signal('SIGTERM');
    expect(await process.waitForExit()).toEqual(STOPPED);
    expect(process.printed).not.toMatch(/unhandled/i);
  });

  it.each([
    ['one server', () => startRedis()],
    ['Sentinels', () => SentinelRedis.start()],
    ['a Cluster', () => ClusterRedis.start()],
  ])('has gone away ends with 0 (%s)', async (_, startQueue) => {
    redis = await startQueue();
    const { process, url } = await start(redis.url);
    await fixture.send(url, 1);
    await delivered(1);
    await redis.stop();
    redis = undefined;
    await process.waitForOutput(/Worker of email-delivery: /);
    process.signal('SIGTERM');
    expect(await process.waitForExit()).toEqual(STOPPED);
    expect(process.printed).not.toMatch(/unhandled/i);
  });

  it('is silent ends with 0', async () => {
    redis = await startRedis();
    proxy = await TcpProxy.start();
    proxy.target = Number(new URL(redis.url).port);
    const { process, url } = await start(`redis://127.0.0.1:${proxy.port}`);
    await fixture.send(url, 1);
    await delivered(1);
    proxy.beSilent();
    process.signal('SIGTERM');
    expect(await process.waitForExit()).toEqual(STOPPED);
    expect(process.printed).not.toMatch(/unhandled/i);
  });
});
