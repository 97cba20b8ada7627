import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DeliveryFixture } from '../support/delivery-fixture.js';
import { killServiceProcesses, startListening } from '../support/service-process.js';

const REQUESTS = 60;

describe('Sends with an Idempotency-Key to two processes', () => {
  let fixture: DeliveryFixture;
  let one: Awaited<ReturnType<typeof startListening>>;
  let other: typeof one;

  beforeAll(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    [one, other] = (await Promise.all([0, 1].map(() => startListening({ ...fixture.variables, ROLE: 'api' })))) as [
      typeof one,
      typeof one,
    ];
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
  });

  const post = (url: string, key: string) => fixture.post(url, 'ada@example.org', { 'Idempotency-Key': key });
  const idOf = async (answer: Response) => ((await answer.json()) as { messageLogId: string }).messageLogId;
  const stored = () => fixture.column('SELECT message_id FROM pending_deliveries');

  it('create one message for 50 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => post(i % 2 ? one.url : other.url, 'order')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect([...new Set(await Promise.all(answers.map(idOf)))]).toEqual(await stored());
  });

  it('create no second message when repeated after a process was killed', async () => {
    const keys = Array.from({ length: REQUESTS }, (_, i) => `after-crash-${i}`);
    const before = (await stored()).length;
    const responses = Promise.all(
      keys.map(async (key) =>
        post(one.url, key)
          .then(idOf)
          .catch(() => undefined),
      ),
    );
    await one.process.waitFor('some messages', async () => (await stored()).length > before);
    await one.process.kill('SIGKILL');
    const first = await responses;
    const again = await Promise.all(keys.map(async (key) => idOf(await post(other.url, key))));
    expect(new Set(again).size).toBe(REQUESTS);
    expect(first.filter((id, i) => id !== undefined && id !== again[i])).toEqual([]);
    expect((await stored()).length).toBe(before + REQUESTS);
  });
});
