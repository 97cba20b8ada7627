import { OutboxDispatcher } from '../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import { SweepWebhooks } from '../../src/modules/webhooks/application/sweep-webhooks.service.js';
import type {
  WebhookDeliveryDetailResponse,
  WebhookDeliveryResponse,
} from '../../src/modules/webhooks/http/webhook-delivery.response.js';
import type { WebhookResponse, WebhookWithSecretResponse } from '../../src/modules/webhooks/http/webhook.response.js';
import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/domain/webhook-event.js';
import type { TestAccount } from './account.js';
import { TestService } from './service.js';
import { waitFor } from './wait-for.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** A service and a receiver, to which the service may post although it is on this machine. */
export class WebhookFixture {
  private paths = 0;

  private constructor(
    readonly service: TestService,
    readonly receiver: WebhookReceiver,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<WebhookFixture> {
    const receiver = await WebhookReceiver.start();
    return new WebhookFixture(
      await TestService.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', ...variables }),
      receiver,
    );
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.receiver.stop();
  }

  /** A path that no other endpoint uses. */
  newPath(): string {
    return `/hook-${(this.paths += 1)}`;
  }

  /** Adds an endpoint, by default for all events, and gives the receiver its secret. */
  async addEndpoint(
    account: TestAccount,
    { path = this.newPath(), events = WEBHOOK_EVENTS, testEvents = false } = {},
  ): Promise<WebhookWithSecretResponse & { path: string }> {
    const { body } = await account
      .asAdmin('post', '/api/webhooks')
      .send({ url: this.receiver.url(path), events, testEvents })
      .expect(201);
    const endpoint = body as WebhookWithSecretResponse;
    await this.receiver.trust(path, { current: endpoint.signingSecret });
    return { ...endpoint, path };
  }

  /** Causes one `contact.suppressed` event per address. */
  async suppress(account: TestAccount, ...emails: string[]): Promise<void> {
    for (const email of emails) await account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
  }

  /** Empties the outbox, and returns the number of events. */
  dispatch(): Promise<number> {
    return this.service.app.get(OutboxDispatcher, { strict: false }).dispatch();
  }

  sweep(): Promise<void> {
    return this.service.app.get(SweepWebhooks, { strict: false }).sweep();
  }

  purgeExpired(): Promise<void> {
    return this.service.app.get(SweepWebhooks, { strict: false }).purgeExpired();
  }

  removeDeleted(): Promise<void> {
    return this.service.app.get(SweepWebhooks, { strict: false }).removeDeleted();
  }

  /** Causes one event and dispatches it to the account's endpoints. */
  async fire(account: TestAccount): Promise<void> {
    await this.suppress(account, `user${(this.paths += 1)}@example.com`);
    await this.dispatch();
  }

  async read(account: TestAccount, endpointId: string): Promise<WebhookResponse> {
    const { body } = await account.asMember('get', `/api/webhooks/${endpointId}`).expect(200);
    return body as WebhookResponse;
  }

  /** Newest first. */
  async deliveries(account: TestAccount, endpointId: string): Promise<WebhookDeliveryResponse[]> {
    const { body } = await account.asMember('get', `/api/webhooks/${endpointId}/deliveries`).expect(200);
    return (body as { items: WebhookDeliveryResponse[] }).items;
  }

  async delivery(account: TestAccount, id: string): Promise<WebhookDeliveryDetailResponse> {
    const { body } = await account.asMember('get', `/api/webhooks/deliveries/${id}`).expect(200);
    return body as WebhookDeliveryDetailResponse;
  }

  /** Waits until the endpoint's newest delivery is in the state after so many attempts. */
  waitForState(
    account: TestAccount,
    endpointId: string,
    state: string,
    attemptCount: number,
  ): Promise<WebhookDeliveryDetailResponse> {
    return waitFor(`a delivery ${state} after ${attemptCount} attempts`, async () => {
      const [newest] = await this.deliveries(account, endpointId);
      if (newest?.state !== state || newest.attemptCount !== attemptCount) return undefined;
      return this.delivery(account, newest.id);
    });
  }
}
