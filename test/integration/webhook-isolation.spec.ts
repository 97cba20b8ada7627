import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import type { TestAccount } from '../support/account.js';
import { waitFor } from '../support/wait-for.js';
import { WebhookFixture } from '../support/webhook-fixture.js';

jest.setTimeout(120_000);

const BACKLOG = 5_000;
const EVENTS = 20;

describe('A receiver that hangs while 5,000 events wait for it', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    account = await fixture.service.createAccount();
  });
  afterAll(() => fixture.stop());

  const importAddresses = (name: string, count: number, of: TestAccount) => {
    const csv = Array.from({ length: count }, (_, i) => `${name}${i}@example.com`).join('\n');
    return of.asAdmin('post', '/api/suppressions/import').set('Content-Type', 'text/csv').send(csv).expect(200);
  };
  /** The times from each suppression to the arrival of its event, in ascending order. */
  async function delays(path: string, of: TestAccount, name: string): Promise<number[]> {
    const result: number[] = [];
    const before = (await fixture.receiver.received(path)).length;
    for (let i = 0; i < EVENTS; i++) {
      const from = Date.now();
      await fixture.suppress(of, `${name}${i}@example.com`);
      await fixture.dispatch();
      const posts = await fixture.receiver.waitForPosts(before + i + 1, path);
      result.push(posts.at(-1)!.receivedAt - from);
    }
    return result.sort((a, b) => a - b);
  }

  it('does not delay other endpoints, and gets fewer and fewer concurrent attempts', async () => {
    const other = await fixture.service.createAccount();
    const healthy = await fixture.addEndpoint(other);
    const alone = await delays(healthy.path, other, 'alone');

    const hanging = await fixture.addEndpoint(account);
    await fixture.receiver.answer(hanging.path, 'hang');
    await importAddresses('hangs', BACKLOG, account);
    expect(await fixture.dispatch()).toBe(BACKLOG);
    await waitFor('attempts that hang', async () => (await fixture.receiver.received(hanging.path)).length >= 10);
    const median = (sorted: number[]) => sorted[EVENTS / 2]!;
    let tries = 0;
    // Again where something else slowed the machine down.
    await waitFor('the other endpoint to be as fast as it was alone', async () => {
      const beside = await delays(healthy.path, other, `beside${++tries}-`);
      return median(beside) < median(alone) * 3 + 100 && beside.at(-1)! < 2_000;
    });
    await waitFor(
      'the first of them to end',
      async () => {
        const [row] = await fixture.service.query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'retrying'`,
          [hanging.id],
        );
        return row!.count >= 10;
      },
      40_000,
    );
    const inProgress = await fixture.service.query(
      `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'in_progress'`,
      [hanging.id],
    );
    expect(inProgress.length).toBeLessThanOrEqual(1);
    const [attempt] = await fixture.service.query<{ error: string; duration_ms: number }>(
      `SELECT error, duration_ms FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
       WHERE d.endpoint_id = $1 LIMIT 1`,
      [hanging.id],
    );
    expect(attempt!.error).toMatch(/within 15 seconds/);
    expect(attempt!.duration_ms).toBeGreaterThanOrEqual(14_900);
  });
});
