import { ApiProperty } from '@nestjs/swagger';

import type { CursorPage } from '../../../shared/cursor-page.js';
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
   * The email address or phone number of the event; for `sms.inbound` the sender.
   * @example "ada@example.com"
   */
  recipient!: string | null;

  @ApiProperty({ enum: DELIVERY_STATES })
  state!: DeliveryState;

  /** Attempts so far, including one in progress. */
  @ApiProperty({ type: 'integer' })
  attemptCount!: number;

  /** Set while the delivery is pending or retrying. */
  nextAttemptAt!: Date | null;
  createdAt!: Date;

  /** When the delivery succeeded or failed for good. */
  completedAt!: Date | null;

  /** The status of the response to the last recorded attempt; null without an attempt or a response. */
  @ApiProperty({ type: 'integer', nullable: true })
  lastStatusCode!: number | null;

  /** The duration of the last recorded attempt; null without one. */
  @ApiProperty({ type: 'integer', nullable: true })
  lastDurationMs!: number | null;

  static from(delivery: DeliveryRecord): WebhookDeliveryResponse {
    const { attempts: attemptCount, ...shown } = delivery;
    const { id, endpointId, event, recipient, state, nextAttemptAt, createdAt, completedAt } = shown;
    const { lastStatusCode, lastDurationMs } = shown;
    const about = { id, endpointId, event, recipient };
    return { ...about, state, attemptCount, nextAttemptAt, createdAt, completedAt, lastStatusCode, lastDurationMs };
  }
}

export class WebhookAttemptResponse {
  /** Sent to the receiver as `X-Service-Delivery`. */
  id!: string;

  /** From 1; sent as `X-Service-Attempt`. */
  @ApiProperty({ type: 'integer' })
  number!: number;
  startedAt!: Date;

  /** Null, like the headers, if the worker stopped before it recorded the attempt. */
  @ApiProperty({ type: 'integer', nullable: true })
  durationMs!: number | null;

  /** The headers of the request. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  requestHeaders!: Record<string, string> | null;

  /** Null if there was no response. */
  @ApiProperty({ type: 'integer', nullable: true })
  statusCode!: number | null;

  /** @example "No complete answer within 15 seconds" */
  error!: string | null;

  /**
   * The first headers of the response: at most 50 with 4 kB in total, with names in lower case. A value is cut off
   * after 1 kB, and a header that does not fit is left out. Values of headers whose names announce a credential, such
   * as `set-cookie` and `x-access-token`, are redacted; in URLs, such as that of `location`, only user names, passwords
   * and the values in the query and the fragment. Null if there was no response, for attempts of earlier
   * versions of the service, and if the response named a person who has been erased.
   * @example { "content-type": "text/plain", "set-cookie": "[redacted]" }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  responseHeaders!: Record<string, string> | null;

  /** The first kilobyte of the response. */
  responseBody!: string | null;

  static from(attempt: AttemptRecord): WebhookAttemptResponse {
    const { id, number, startedAt, durationMs, requestHeaders, statusCode, error } = attempt;
    const { responseHeaders, responseBody } = attempt;
    const request = { id, number, startedAt, durationMs, requestHeaders };
    return { ...request, statusCode, error, responseHeaders, responseBody };
  }
}

export class WebhookDeliveryDetailResponse extends WebhookDeliveryResponse {
  /** The exact body of every attempt. */
  @ApiProperty({
    example:
      '{"event":"contact.bounced","occurredAt":"2026-11-21T10:00:00.000Z","accountId":"c0mk3v9p0w1e8j0c4p7y6v3za","data":{}}',
  })
  body!: string;

  /** The newest 100, oldest first. */
  attempts!: WebhookAttemptResponse[];

  static override from(delivery: DeliveryWithAttempts): WebhookDeliveryDetailResponse {
    return {
      ...WebhookDeliveryResponse.from(delivery),
      body: delivery.body,
      attempts: delivery.recordedAttempts.map((attempt) => WebhookAttemptResponse.from(attempt)),
    };
  }
}

export class WebhookDeliveryPageResponse {
  items!: WebhookDeliveryResponse[];

  /** Pass as `cursor` to get the next page; null on the last one. */
  nextCursor!: string | null;

  static from({ items, nextCursor }: CursorPage<DeliveryRecord>): WebhookDeliveryPageResponse {
    return { items: items.map((delivery) => WebhookDeliveryResponse.from(delivery)), nextCursor };
  }
}
