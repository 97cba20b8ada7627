import { OutboxDispatcher } from '../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import type { DashboardFixture } from './dashboard-fixture.js';
import { waitFor } from './wait-for.js';
import { WebhookReceiver } from './webhook-receiver.js';

interface Delivery {
  id: string;
  state: string;
}

const REASON = '{"error":"unknown contact","hint":"The CRM does not know this address"}';

/** An endpoint that accepted some events and refused one, and a disabled one. */
export async function fillWebhooks({
  account,
  service,
}: DashboardFixture): Promise<{ webhookId: string; deliveryId: string }> {
  const receiver = await WebhookReceiver.start();
  const add = async (body: object): Promise<string> =>
    (await account.asAdmin('post', '/api/webhooks').send(body).expect(201)).body.id;
  try {
    const events = ['contact.unsubscribed', 'contact.bounced', 'contact.complained', 'contact.suppressed'];
    const webhookId = await add({ url: receiver.url('/crm'), events, description: 'CRM' });
    await receiver.answer('/crm', 204, { status: 422, body: REASON }, 204);
    for (const user of ['kim', 'noor', 'lea']) {
      await account.asAdmin('post', '/api/suppressions').send({ email: `${user}@example.net` });
      await service.app.get(OutboxDispatcher, { strict: false }).dispatch();
      await settled();
    }
    const old = await add({ url: 'https://old.northwind.example/hooks/mail', events: ['contact.bounced'] });
    const change = (id: string, body: object) => account.asAdmin('patch', `/api/webhooks/${id}`).send(body).expect(200);
    await change(old, { enabled: false });
    await change(webhookId, { url: 'https://crm.northwind.example/hooks/mail' });
    const failed = (await deliveries()).find(({ state }) => state === 'failed_permanent');
    return { webhookId, deliveryId: failed!.id };

    async function deliveries(): Promise<Delivery[]> {
      return (await account.asAdmin('get', `/api/webhooks/${webhookId}/deliveries`).expect(200)).body.items;
    }
    function settled(): Promise<unknown> {
      return waitFor('deliveries to be over', async () =>
        (await deliveries()).every(({ state }) => ['delivered', 'failed_permanent'].includes(state)),
      );
    }
  } finally {
    await receiver.stop();
  }
}
