import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { WebhookDeliveryRepository } from '../../../src/modules/webhooks/application/ports/webhook-delivery.repository.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

describe('Webhook deliveries that a stopping worker has claimed and not attempted', () => {
  let hooks: WebhookFixture;

  beforeAll(async () => {
    hooks = await WebhookFixture.start({ ROLE: 'api' });
  });
  afterAll(() => hooks.stop());

  it('are released, although the database was out of reach', async () => {
    const { service } = hooks;
    const account = await service.createAccount();
    const { id: endpointId } = await hooks.addEndpoint(account);
    await hooks.fire(account);
    const deliveries = service.app.get(WebhookDeliveryRepository, { strict: false });
    const claimed = await deliveries.claimAcrossAccounts(endpointId, 10);
    expect(claimed).toHaveLength(1);
    const faults: string[] = [];
    let released: Promise<void> | undefined;
    await service.withoutDatabase(async () => {
      released = deliveries.release(claimed, ({ message }) => faults.push(message));
      await waitFor('two faults', () => faults.length >= 2);
    });
    await released;
    expect(await hooks.deliveries(account, endpointId)).toMatchObject([{ state: 'pending', attemptCount: 0 }]);
  });
});
