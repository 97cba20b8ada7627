import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { TEST_EVENT, WEBHOOK_EVENTS } from '../../../src/modules/webhooks/domain/webhook-event.js';
import { SuppressAddresses } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';
import { DESCRIBED_EVENTS, requireDescribed } from '../../support/webhook-schemas.js';

describe('The body of a webhook', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    account = await fixture.service.createAccount();
  });
  afterAll(() => fixture.stop());

  it('has a schema for each event', () => {
    expect(DESCRIBED_EVENTS.sort()).toEqual([...WEBHOOK_EVENTS, TEST_EVENT].sort());
  });

  it('matches its schema, with and without a contact', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    const contact = { email: 'known@example.com', firstName: 'Ada' };
    await account.asAdmin('post', '/api/contacts').send(contact).expect(201);
    const suppress = fixture.service.app.get(SuppressAddresses, { strict: false });
    const cause = { accountId: account.id, channel: 'email', source: 'provider' } as const;
    for (const [i, reason] of (['unsubscribed', 'bounced', 'complained', 'manual'] as const).entries())
      for (const address of [`stranger${i}@example.com`, ...(reason === 'unsubscribed' ? [contact.email] : [])])
        await suppress.suppress([{ ...cause, address, reason }]);
    await suppress.suppress([{ ...cause, channel: 'sms', address: '+14155550100', reason: 'sms_opt_out' }]);
    await fixture.dispatch();
    await account.asAdmin('post', `/api/webhooks/${id}/test`).expect(200);
    const bodies = (await fixture.receiver.waitForPosts(7, path)).map(({ body }) => body);
    const payloads = bodies.map((body) => JSON.parse(body) as { event: string; data: Record<string, unknown> });
    expect(new Set(payloads.map(({ event }) => event)).size).toBe(5);
    const unsubscribed = payloads.filter(({ event }) => event === 'contact.unsubscribed').map(({ data }) => data);
    expect(unsubscribed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: 'stranger0@example.com', contactId: '', firstName: '', lastName: '' }),
        expect.objectContaining({ email: contact.email, firstName: 'Ada', lastName: '' }),
      ]),
    );
  });

  it.each([
    { event: 'contact.unsubscribed', data: { contactId: null } },
    { event: 'contact.unsubscribed', data: { unknown: 'field' } },
    { event: 'contact.unknown', data: {} },
    { unknown: 'field' },
  ])('is rejected by the receiver of the tests if it does not: %j', (changes) => {
    const data = {
      ...{ email: 'a@example.com', contactId: '', firstName: '', lastName: '', campaignId: null, source: 'form' },
      ...(changes.data ?? {}),
    };
    const sound = { event: 'contact.unsubscribed', occurredAt: '2026-11-22T00:00:00.000Z', accountId: account.id };
    expect(() => {
      requireDescribed(JSON.stringify({ ...sound, ...changes, data }));
    }).toThrow();
  });
});
