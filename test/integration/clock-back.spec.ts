import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import { OncePerCluster } from '../../src/platform/scheduling/once-per-cluster.js';
import type { TestAccount, TestKey } from '../support/account.js';
import { postEmail, sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait-for.js';

const SENDER = 'shop@example.com';

describe('When the clock jumps back by an hour', () => {
  let service: TestService;
  let relay: SmtpSink;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url });
    // In the middle of a day and a month, so that only the jump itself matters.
    const noon = new Date(service.clock.now());
    noon.setUTCDate(15);
    noon.setUTCHours(12, 0, 0, 0);
    service.clock.advance({ seconds: (noon.getTime() - service.clock.now().getTime()) / 1_000 });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    relay.reset();
    account = await service.createAccount({ dailySendCap: 4 });
    await account.verifySender(SENDER);
    key = await account.createKey();
  });

  const jumpBack = () => {
    service.clock.advance({ hours: -1 });
  };
  const send = () => sendEmail(service, key.secret, { text: 'Hello' });
  const read = async (id: string) =>
    (await service.request('get', `/api/messages/${id}`).set('X-API-Key', key.secret).expect(200)).body;
  const reaches = (id: string, status: string) =>
    waitFor(`${id} to be ${status}`, async () => (await read(id)).status === status);
  const sweep = () => service.app.get(SweepDeliveries, { strict: false }).sweep();

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
    const { body } = await service.request('get', '/api/messages').set('X-API-Key', key.secret).expect(200);
    expect((body.items as { id: string }[]).map(({ id }) => id).sort()).toEqual([...before, ...after].sort());
  });

  it('enforces the daily caps', async () => {
    await send();
    await send();
    jumpBack();
    await send();
    await send();
    await postEmail(service, key.secret, { text: 'Hello' }).expect(429);
  });

  it('answers repeated requests correctly and creates no second message', async () => {
    const post = () => postEmail(service, key.secret, { text: 'Hello' }).set('Idempotency-Key', 'order-1');
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
    await sweep();
    take(undefined);
    await reaches(id, 'sent');
    expect(relay.received()).toHaveLength(1);
  });

  it('retries at the scheduled time, neither at once nor for ever', async () => {
    relay.answer = () => ({ code: 451, message: 'Try later' });
    const id = await send();
    await waitFor('the first attempt', async () => (await read(id)).error !== null);
    jumpBack();
    relay.reset();
    expect(await sweep()).toBe(0);
    service.clock.advance({ hours: 1, minutes: 2 });
    await sweep();
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
