import { ApiProperty } from '@nestjs/swagger';

import type { DeliveryPage } from '../application/read-deliveries.service.js';
import {
  type AttemptRecord,
  DELIVERY_STATES,
  type DeliveryRecord,
  type DeliveryState,
  type DeliveryWithAttempts,
} from '../domain/webhook-delivery.js';

export class WebhookDeliveryResponse {
  id!: string;
  endpointId!: string;

  /** @example "contact.bounced" */
  event!: string;

  /**
   * The email address or phone number that the event is about; for `sms.inbound`, the sender.
   * @example "ada@example.com"
   */
  recipient!: string | null;

  @ApiProperty({ enum: DELIVERY_STATES })
  state!: DeliveryState;

  /** Made so far, one in progress included. */
  @ApiProperty({ type: 'integer' })
  attemptCount!: number;

  /** Of what is pending or retrying. */
  nextAttemptAt!: Date | null;
  createdAt!: Date;

  /** When it was delivered or given up. */
  completedAt!: Date | null;

  static from(delivery: DeliveryRecord): WebhookDeliveryResponse {
    const { attempts: attemptCount, ...shown } = delivery;
    const { id, endpointId, event, recipient, state, nextAttemptAt, createdAt, completedAt } = shown;
    return { id, endpointId, event, recipient, state, attemptCount, nextAttemptAt, createdAt, completedAt };
  }
}

export class WebhookAttemptResponse {
  /** As the receiver saw it, in `X-Service-Delivery`. */
  id!: string;

  /** From 1; in `X-Service-Attempt`. */
  @ApiProperty({ type: 'integer' })
  number!: number;
  startedAt!: Date;

  /** Null, like the headers, for an attempt whose worker stopped before it could record it. */
  @ApiProperty({ type: 'integer', nullable: true })
  durationMs!: number | null;

  /** What was sent with the body. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  requestHeaders!: Record<string, string> | null;

  /** Null where there was no answer. */
  @ApiProperty({ type: 'integer', nullable: true })
  statusCode!: number | null;

  /** @example "No complete answer within 15 seconds" */
  error!: string | null;

  /** The first kilobyte of the answer. */
  responseBody!: string | null;

  static from(attempt: AttemptRecord): WebhookAttemptResponse {
    const { id, number, startedAt, durationMs, requestHeaders, statusCode, error, responseBody } = attempt;
    return { id, number, startedAt, durationMs, requestHeaders, statusCode, error, responseBody };
  }
}

export class WebhookDeliveryDetailResponse extends WebhookDeliveryResponse {
  /**
   * The body of each attempt, to the byte.
   * @example "{\"event\":\"contact.bounced\",\"occurredAt\":\"2026-11-21T10:00:00.000Z\",\"accountId\":\"c…\",\"data\":{}}"
   */
  body!: string;

  /** In the order in which they were made. */
  attempts!: WebhookAttemptResponse[];

  static of(delivery: DeliveryWithAttempts): WebhookDeliveryDetailResponse {
    return {
      ...WebhookDeliveryResponse.from(delivery),
      body: delivery.body,
      attempts: delivery.recordedAttempts.map((attempt) => WebhookAttemptResponse.from(attempt)),
    };
  }
}

export class WebhookDeliveryPageResponse {
  items!: WebhookDeliveryResponse[];

  /** For the next page; null at the end of the list. */
  nextCursor!: string | null;

  static from({ items, nextCursor }: DeliveryPage): WebhookDeliveryPageResponse {
    return { items: items.map((delivery) => WebhookDeliveryResponse.from(delivery)), nextCursor };
  }
}
