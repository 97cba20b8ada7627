import type { AttemptReport } from '../../modules/webhooks/application/attempt-delivery.service.js';
import { EndpointLane } from '../../modules/webhooks/application/endpoint-lane.js';
import { Claims } from '../../modules/webhooks/domain/claims.js';
import type { EventName } from '../../shared/events.js';
import type { Agenda } from './agenda.js';
import type { PastServices } from './past-services.js';
import type { PastClock } from './past-clock.js';

/** A retry is due after 1, 2, 4, 8 and 16 minutes, with up to a tenth more. */
const RETRIED_AFTER_MINUTES = [1.1, 3.3, 7.7, 16.5, 34.1];
const EVENTS: EventName[] = ['contact.unsubscribed', 'contact.bounced', 'contact.complained', 'contact.suppressed'];

/** The endpoints of the account, and their deliveries, over real HTTP. */
export class PastWebhooks {
  private readonly endpointIds: string[] = [];

  constructor(
    private readonly services: PastServices,
    private readonly accountId: string,
    private readonly clock: PastClock,
    private readonly agenda: Agenda,
  ) {}

  async add(url: string, description: string): Promise<void> {
    const parts = { url, description, events: EVENTS, testEvents: false };
    const { endpoint } = await this.services.webhooks.create(this.accountId, parts);
    this.endpointIds.push(endpoint.id);
  }

  /** Delivers the events that have occurred, and plans the retries of failed deliveries. */
  async deliver(): Promise<void> {
    await this.services.outbox.dispatch();
    if ((await this.drain()) === 0) return;
    const now = this.clock.now().getTime();
    for (const minutes of RETRIED_AFTER_MINUTES)
      this.agenda.add(new Date(now + minutes * 60_000), async () => {
        await this.drain();
      });
  }

  /** Returns the number of attempts that are retried. */
  private async drain(): Promise<number> {
    const { webhookDeliveries: deliveries, attempts } = this.services;
    const process = { deliveries, attempts, claims: new Claims(), stopping: new AbortController().signal };
    let retried = 0;
    const report = ({ outcome }: AttemptReport) => {
      if (outcome === 'retrying') retried += 1;
    };
    for (const endpointId of this.endpointIds) await new EndpointLane({ ...process, endpointId, report }).drain();
    return retried;
  }
}
