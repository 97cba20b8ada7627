import { ApiProperty } from '@nestjs/swagger';

import type { DeliveryBucket } from '../domain/webhook-delivery.js';

class WebhookActivityBucketResponse {
  /** The start of the hour. */
  from!: Date;

  @ApiProperty({ type: 'integer' })
  delivered!: number;

  /** Failed for good. */
  @ApiProperty({ type: 'integer' })
  failed!: number;

  /** Pending, in progress or retrying. */
  @ApiProperty({ type: 'integer' })
  waiting!: number;

  static from({ from, delivered, failed, waiting }: DeliveryBucket): WebhookActivityBucketResponse {
    return { from, delivered, failed, waiting };
  }
}

export class WebhookActivityResponse {
  @ApiProperty({ enum: ['hour'] })
  interval!: 'hour';

  /** 48 consecutive hours, oldest first. */
  buckets!: WebhookActivityBucketResponse[];

  static from(buckets: readonly DeliveryBucket[]): WebhookActivityResponse {
    return { interval: 'hour', buckets: buckets.map((bucket) => WebhookActivityBucketResponse.from(bucket)) };
  }
}

export class RetriedDeliveriesResponse {
  /** How many deliveries are attempted again. */
  @ApiProperty({ type: 'integer' })
  retried!: number;

  /**
   * Whether there may be more: then call again.
   * @example false
   */
  hasMore!: boolean;

  static from({ retried, hasMore }: { retried: number; hasMore: boolean }): RetriedDeliveriesResponse {
    return { retried, hasMore };
  }
}

/** The names of the headers of a signed request. */
export class WebhookSignatureResponse {
  /** @example "X-Service-Timestamp" */
  timestampHeader!: string;

  /** @example "X-Service-Signature" */
  signatureHeader!: string;

  /**
   * Present for 24 hours after the secret was rotated.
   * @example "X-Service-Signature-Previous"
   */
  previousSignatureHeader!: string;

  static from(brand: string): WebhookSignatureResponse {
    return {
      timestampHeader: `X-${brand}-Timestamp`,
      signatureHeader: `X-${brand}-Signature`,
      previousSignatureHeader: `X-${brand}-Signature-Previous`,
    };
  }
}
