import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { errorBody } from '../../support/errors.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

/** What PostgreSQL answers where a table cannot grow, and how often: a sequence keeps what is rolled back. */
const FULL = `
  CREATE SEQUENCE refusals;
  CREATE FUNCTION refuse_to_grow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM nextval('refusals');
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
    END $$`;

describe('While the disk of PostgreSQL is full', () => {
  let fixture: RelayFixture;
  let service: TestService;
  let relay: SmtpSink;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service, relay } = fixture);
    shop = await fixture.open();
    await service.query(FULL);
  });
  afterAll(() => fixture.stop());
  beforeEach(() => {
    relay.reset();
  });

  const fill = async (event: 'INSERT' | 'UPDATE', table: string) => {
    await service.query('ALTER SEQUENCE refusals RESTART');
    await service.query(
      `CREATE TRIGGER full_disk BEFORE ${event} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_grow()`,
    );
  };
  const isRefused = () =>
    waitFor('a refusal', async () => {
      const [refusals] = await service.query<{ is_called: boolean }>('SELECT is_called FROM refusals');
      return refusals!.is_called;
    });
  const free = (table: string) => service.query(`DROP TRIGGER full_disk ON ${table}`);
  const status = async (id: string) => (await shop.read(id)).status as string;
  const isSent = (id: string) => waitFor(`${id} to be sent`, async () => (await status(id)) === 'sent');
  const used = () => service.query<{ used: number }>('SELECT coalesce(sum(used), 0)::integer AS used FROM daily_usage');

  it('answers 503, counts nothing, and accepts the same request once there is room', async () => {
    const before = await used();
    await fill('INSERT', 'message_logs');
    const post = () => shop.post({ text: 'Hello' }).set('Idempotency-Key', 'order-1');
    for (const { status, body, headers } of await Promise.all(Array.from({ length: 10 }, post))) {
      expect([status, body]).toEqual([503, errorBody(503, 'The service is temporarily unavailable')]);
      expect(headers['retry-after']).toBe('1');
    }
    expect(await used()).toEqual(before);
    await free('message_logs');
    const { body } = await post().expect(201);
    await isSent(body.messageLogId as string);
    expect(relay.received()).toHaveLength(1);
  });

  it('delivers later what it could not claim', async () => {
    await fill('UPDATE', 'pending_deliveries');
    const id = await shop.send({ text: 'Hello' });
    await isRefused();
    expect(await status(id)).toBe('queued');
    await free('pending_deliveries');
    service.clock.advance({ minutes: 2 });
    await fixture.sweep();
    await isSent(id);
    expect(relay.received()).toHaveLength(1);
  });

  it('remembers what the relay took until it can be recorded, and delivers it once', async () => {
    let take: (answer: undefined) => void = () => undefined;
    const taken = new Promise<undefined>((resolve) => (take = resolve));
    let isOffered = false;
    relay.answer = (stage) => {
      if (stage !== 'data') return undefined;
      isOffered = true;
      return taken;
    };
    const id = await shop.send({ text: 'Hello' });
    await waitFor('the relay to be offered the mail', () => isOffered);
    await fill('UPDATE', 'message_logs');
    take(undefined);
    await isRefused();
    expect(relay.received()).toHaveLength(1);
    expect(await status(id)).toBe('sending');
    await free('message_logs');
    await isSent(id);
    expect(relay.received()).toHaveLength(1);
  });
});
