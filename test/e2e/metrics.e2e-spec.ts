import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../support/account.js';
import { sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';

describe('GET /metrics', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    await account.verifySender('shop@example.com');
    key = await account.createKey();
  });
  afterAll(() => service.stop());

  async function gauge(name: string): Promise<Record<string, number>> {
    const { text } = await service.request('get', '/metrics').expect(200);
    const samples = text.matchAll(new RegExp(`^${name}\\{lane="(\\w+)"\\} (\\S+)$`, 'gm'));
    return Object.fromEntries([...samples].map(([, lane, value]) => [lane, Math.round(Number(value))]));
  }
  const send = () => sendEmail(service, key.secret, { text: 'Hello' });
  const update = (id: string, set: string) =>
    service.query(`UPDATE pending_deliveries SET ${set} WHERE message_id = $1`, [id]);

  it('reports the backlog by lane, and how long the oldest due message has waited', async () => {
    expect(await gauge('messages_pending')).toEqual({ email: 0, sms: 0, bulk: 0, bulk_sms: 0 });
    expect(await gauge('messages_oldest_due_seconds')).toEqual({ email: 0, sms: 0, bulk: 0, bulk_sms: 0 });
    const [oldest, second, third] = [await send(), await send(), await send()];
    service.clock.advance({ minutes: 10 });
    expect(await gauge('messages_pending')).toEqual({ email: 3, sms: 0, bulk: 0, bulk_sms: 0 });
    expect((await gauge('messages_oldest_due_seconds')).email).toBeGreaterThanOrEqual(600);

    // A message that a worker has claimed does not wait for one, nor does one that is not due.
    await update(oldest, `lease_ends_at = now() + interval '1 hour'`);
    await update(second, `next_attempt_at = now() + interval '1 hour'`);
    await update(third, `campaign_id = 'c1', accepted_at = now()`);
    expect(await gauge('messages_pending')).toEqual({ email: 2, sms: 0, bulk: 1, bulk_sms: 0 });
    const waited = await gauge('messages_oldest_due_seconds');
    expect(waited.email).toBe(0);
    expect(waited.bulk).toBeGreaterThanOrEqual(600);
  });

  it('leaves out the backlog while the database is unavailable', async () => {
    await service.withoutDatabase(async () => {
      expect(await gauge('messages_pending')).toEqual({});
    });
    expect(Object.keys(await gauge('messages_pending'))).toHaveLength(4);
  });
});
