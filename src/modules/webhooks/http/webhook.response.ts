import { ApiProperty } from '@nestjs/swagger';

import type { EventName } from '../../../shared/events.js';
import type { Page } from '../../../shared/page.js';
import type { TestResult } from '../application/test-webhook.service.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { WEBHOOK_EVENTS } from '../domain/webhook-event.js';

export class WebhookResponse {
  id!: string;

  /** @example "https://example.com/webhooks" */
  url!: string;

  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events!: EventName[];

  /** @example "CRM" */
  description!: string | null;

  /**
   * Whether the endpoint also receives events of messages of test keys.
   * @example false
   */
  testEvents!: boolean;

  enabled!: boolean;

  /**
   * Why the service disabled the endpoint; null if a user did.
   * @example "Every delivery has failed for 5 days"
   */
  disabledReason!: string | null;
  disabledAt!: Date | null;

  /** The time of the first failed attempt since the last success. */
  failingSince!: Date | null;

  /** Until then, attempts are also signed with the previous secret. */
  previousSecretUntil!: Date | null;
  createdAt!: Date;
  updatedAt!: Date;

  static from(endpoint: WebhookEndpoint): WebhookResponse {
    const { id, url, events, description, testEvents, enabled, disabledReason, disabledAt } = endpoint;
    const { failingSince, previousSecretUntil, createdAt, updatedAt } = endpoint;
    const state = { enabled, disabledReason, disabledAt, failingSince };
    return { id, url, events, description, testEvents, ...state, previousSecretUntil, createdAt, updatedAt };
  }
}

export class WebhookWithSecretResponse extends WebhookResponse {
  /**
   * The key of the HMAC: this whole text, prefix included, in UTF-8.
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
   */
  signingSecret!: string;

  static withSecret({ endpoint, signingSecret }: EndpointWithSecret): WebhookWithSecretResponse {
    return { ...WebhookResponse.from(endpoint), signingSecret };
  }
}

interface EndpointWithSecret {
  endpoint: WebhookEndpoint;
  signingSecret: string;
}

export class WebhookPageResponse {
  items!: WebhookResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<WebhookEndpoint>): WebhookPageResponse {
    return { items: items.map((endpoint) => WebhookResponse.from(endpoint)), ...page };
  }
}

export class WebhookTestResponse {
  /** Whether the endpoint responded with a 2xx status. */
  delivered!: boolean;

  /** Null if there was no response. */
  @ApiProperty({ type: 'integer', nullable: true })
  statusCode!: number | null;

  @ApiProperty({ type: 'integer' })
  durationMs!: number;

  /**
   * Null on success.
   * @example "Answered 404"
   */
  error!: string | null;

  static from({ delivered, statusCode, durationMs, error }: TestResult): WebhookTestResponse {
    return { delivered, statusCode, durationMs, error };
  }
}
