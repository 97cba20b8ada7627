import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const MESSAGES = 20;
const MINUTES = 60;
const STEP_MINUTES = 5;

describe('While the relay is down for an hour', () => {
  let fixture: RelayFixture;
  let service: TestService;
  let relay: SmtpSink;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service, relay } = fixture);
    shop = await fixture.open();
  });
  afterAll(() => fixture.stop());

  const count = async (where: string) =>
    Number((await service.query<{ n: string }>(`SELECT count(*) AS n FROM pending_deliveries WHERE ${where}`))[0]!.n);
  const now = () => service.clock.now().toISOString();
  /** Time passes, and what is due by then has been attempted. */
  const pass = async (minutes: number) => {
    service.clock.advance({ minutes });
    await fixture.sweep();
    const isDue = () => `lease_ends_at IS NOT NULL OR next_attempt_at <= '${now()}'`;
    await waitFor('all that is due', async () => (await count(isDue())) === 0);
  };

  it('keeps accepting and retrying, and then delivers everything once', async () => {
    relay.answer = () => ({ code: 421, message: 'Closed for an hour' });
    const ids: string[] = [];
    for (let minute = 0; minute < MINUTES; minute += STEP_MINUTES) {
      if (ids.length < MESSAGES) ids.push(await shop.send({ text: 'Hello' }));
      await pass(STEP_MINUTES);
    }
    const health = await service.request('get', '/health/ready').expect(200);
    expect(health.body.status).toBe('up');
    expect(await count('true')).toBe(ids.length);
    expect(relay.received()).toHaveLength(0);

    relay.answer = () => undefined;
    for (let waited = 0; waited < 150 && (await count('true')) > 0; waited += 30) await pass(30);
    expect(await count('true')).toBe(0);
    const delivered = relay.received().map(({ parsed }) => /^<(.+)@/.exec(parsed.messageId!)![1]!);
    expect(delivered.sort()).toEqual(ids.sort());

    const message = await shop.read(ids[0]!);
    const types = (message.events as { type: string }[]).map(({ type }) => type);
    expect(message.status).toBe('sent');
    expect(types.filter((type) => type === 'sent')).toHaveLength(1);
    expect(types.filter((type) => type === 'delayed').length).toBeGreaterThanOrEqual(4);
  });
});
