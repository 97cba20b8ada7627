import { SweepDeliveries } from '../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestKey } from './account.js';
import type { TestService } from './service.js';
import { waitFor } from './wait-for.js';

export const RECIPIENT = '+14155550100';

/** What a test does with SMS, whatever the provider. */
export class SmsMessages {
  constructor(readonly service: TestService) {}

  post(key: TestKey, body: object = {}) {
    return this.service
      .request('post', '/api/send/sms')
      .set('X-API-Key', key.secret)
      .send({ to: RECIPIENT, body: 'Your code is 4711', ...body });
  }

  /** The id of the message. */
  async send(key: TestKey, body: object = {}): Promise<string> {
    return ((await this.post(key, body).expect(201)).body as { messageLogId: string }).messageLogId;
  }

  async read(key: TestKey, id: string) {
    const { body } = await this.service.request('get', `/api/messages/${id}`).set('X-API-Key', key.secret).expect(200);
    return body;
  }

  reaches(key: TestKey, id: string, status: string, eventCount: number) {
    return waitFor(`${status} with ${eventCount} events`, async () => {
      const message = await this.read(key, id);
      return message.status === status && message.events.length === eventCount && message;
    });
  }

  async sweepAfter(seconds: number): Promise<void> {
    this.service.clock.advance({ seconds });
    await this.service.app.get(SweepDeliveries, { strict: false }).sweep();
  }
}
