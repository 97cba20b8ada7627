import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { OncePerCluster } from '../../../src/platform/scheduling/once-per-cluster.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

describe('When the clock jumps back by an hour', () => {
  let fixture: RelayFixture;
  let service: TestService;
  let relay: SmtpSink;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service, relay } = fixture);
    // In the middle of a day and a month, so that only the jump itself matters.
    const noon = new Date(service.clock.now());
    noon.setUTCDate(15);
    noon.setUTCHours(12, 0, 0, 0);
    service.clock.advance({ seconds: (noon.getTime() - service.clock.now().getTime()) / 1_000 });
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    relay.reset();
    shop = await fixture.open({ dailySendCap: 4 });
  });

  const jumpBack = () => {
    service.clock.advance({ hours: -1 });
  };
  const send = () => shop.send({ text: 'Hello' });
  const reaches = (id: string, status: string) =>
    waitFor(`${id} to be ${status}`, async () => (await shop.read(id)).status === status);

  it('delivers each message once, before and after, with distinct ids that reflect their times', async () => {
    const before = [await send(), await send()];
    jumpBack();
    const after = [await send(), await send()];
    for (const id of [...before, ...after]) await reaches(id, 'sent');
    expect(relay.received()).toHaveLength(4);
    expect(new Set([...before, ...after]).size).toBe(4);
    expect(Math.max(...after.map((id) => parseInt(id.slice(1, 9), 36)))).toBeLessThan(
      Math.min(...before.map((id) => parseInt(id.slice(1, 9), 36))),
    );
    const { body } = await service.request('get', '/api/messages').set('X-API-Key', shop.key.secret).expect(200);
    expect((body.items as { id: string }[]).map(({ id }) => id).sort()).toEqual([...before, ...after].sort());
  });

  it('enforces the daily caps', async () => {
    await send();
    await send();
    jumpBack();
    await send();
    await send();
    await shop.post({ text: 'Hello' }).expect(429);
  });

  it('answers repeated requests correctly and creates no second message', async () => {
    const post = () => shop.post({ text: 'Hello' }).set('Idempotency-Key', 'order-1');
    const { body } = await post().expect(201);
    jumpBack();
    expect((await post().expect(201)).body).toEqual(body);
    await reaches(body.messageLogId as string, 'sent');
  });

  it('leaves a leased message to its worker, and records the outcome', async () => {
    let take: (answer: undefined) => void = () => undefined;
    const taken = new Promise<undefined>((resolve) => (take = resolve));
    let isOffered = false;
    relay.answer = (stage) => {
      if (stage !== 'data') return undefined;
      isOffered = true;
      return taken;
    };
    const id = await send();
    await waitFor('the relay to be offered the mail', () => isOffered);
    jumpBack();
    await fixture.sweep();
    take(undefined);
    await reaches(id, 'sent');
    expect(relay.received()).toHaveLength(1);
  });

  it('retries at the scheduled time, neither at once nor for ever', async () => {
    relay.answer = () => ({ code: 451, message: 'Try later' });
    const id = await send();
    await waitFor('the first attempt', async () => (await shop.read(id)).error !== null);
    jumpBack();
    relay.reset();
    expect(await fixture.sweep()).toBe(0);
    service.clock.advance({ hours: 1, minutes: 2 });
    await fixture.sweep();
    await reaches(id, 'sent');
    expect(relay.received()).toHaveLength(1);
  });

  it('runs the schedules again', async () => {
    const once = service.app.get(OncePerCluster);
    let ran = 0;
    const run = () => once.run('clock-back', 60, () => Promise.resolve((ran += 1)));
    await run();
    await run();
    jumpBack();
    await run();
    await run();
    expect(ran).toBe(2);
  });
});
