import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { isSuccess } from '../domain/attempt-outcome.js';
import type { AttemptResult } from '../domain/webhook-delivery.js';
import { TEST_EVENT, writeBody } from '../domain/webhook-event.js';
import { AttemptDelivery } from './attempt-delivery.service.js';
import { ManageWebhooks } from './manage-webhooks.service.js';

export interface TestResult extends Pick<AttemptResult, 'statusCode' | 'durationMs' | 'error'> {
  delivered: boolean;
}

/** Tests an endpoint, even a disabled one. Nothing is stored, but a success clears the endpoint's failing state. */
@Injectable()
export class TestWebhook {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly attempts: AttemptDelivery,
    private readonly clock: Clock,
  ) {}

  async test(accountId: string, endpointId: string): Promise<TestResult> {
    const endpoint = await this.webhooks.get(accountId, endpointId);
    const occurredAt = this.clock.now();
    const body = writeBody({ type: TEST_EVENT, accountId, occurredAt, data: { endpointId } });
    const attempt = { id: newId(occurredAt), number: 1, event: TEST_EVENT, body };
    const { statusCode, durationMs, error } = await this.attempts.post(
      { ...endpoint, lane: `test ${endpointId}` },
      attempt,
    );
    const delivered = isSuccess(statusCode);
    if (delivered && endpoint.failingSince !== null)
      await this.webhooks.recordSuccess(accountId, endpointId, endpoint.url);
    return { delivered, statusCode, durationMs, error };
  }
}
