import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

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
  /** Causes events one after the other, and waits for each to arrive. */
  async function deliver(path: string, of: TestAccount): Promise<void> {
    for (let i = 0; i < EVENTS; i++) {
      await fixture.suppress(of, `beside${i}@example.com`);
      await fixture.dispatch();
      await fixture.receiver.waitForPosts(i + 1, path);
    }
  }

  it('does not hold up other endpoints, and gets fewer and fewer concurrent attempts', async () => {
    const other = await fixture.service.createAccount();
    const healthy = await fixture.addEndpoint(other);

    const hanging = await fixture.addEndpoint(account);
    await fixture.receiver.answer(hanging.path, 'hang');
    await importAddresses('hangs', BACKLOG, account);
    expect(await fixture.dispatch()).toBe(BACKLOG);
    await waitFor('attempts that hang', async () => (await fixture.receiver.received(hanging.path)).length >= 10);
    await deliver(healthy.path, other);
    const attempted = (await fixture.receiver.received(hanging.path)).length;
    expect(attempted).toBeLessThan(BACKLOG / 2);
    await waitFor('the first of them to end', async () => {
      const [row] = await fixture.service.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'retrying'`,
        [hanging.id],
      );
      return row!.count >= 10;
    });
    const inProgress = await fixture.service.query(
      `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'in_progress'`,
      [hanging.id],
    );
    expect(inProgress.length).toBeLessThanOrEqual(1);
    const [attempt] = await fixture.service.query<{ error: string }>(
      `SELECT error FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
       WHERE d.endpoint_id = $1 LIMIT 1`,
      [hanging.id],
    );
    expect(attempt!.error).toMatch(/within 15 seconds/);
  });
});
