import { ApiProperty } from '@nestjs/swagger';

import type { Activity, Usage } from '../application/show-activity.service.js';
import type { ActivityBucket, ActivityInterval, Outcome } from '../domain/activity.js';

class OutcomeResponse {
  @ApiProperty({ type: 'integer' })
  accepted!: number;

  /** Handed to the provider, whatever happened then. */
  @ApiProperty({ type: 'integer' })
  sent!: number;

  /** Of which the provider reported delivery; complaints are among them. */
  @ApiProperty({ type: 'integer' })
  delivered!: number;

  @ApiProperty({ type: 'integer' })
  bounced!: number;

  @ApiProperty({ type: 'integer' })
  complained!: number;

  @ApiProperty({ type: 'integer' })
  failed!: number;

  /** Messages that people opened at least once. */
  @ApiProperty({ type: 'integer' })
  opened!: number;

  /** Messages in which people clicked at least once. */
  @ApiProperty({ type: 'integer' })
  clicked!: number;

  static from(outcome: Outcome): OutcomeResponse {
    const { accepted, sent, delivered, bounced, complained, failed, opened, clicked } = outcome;
    return { accepted, sent, delivered, bounced, complained, failed, opened, clicked };
  }
}

class ActivityBucketResponse extends OutcomeResponse {
  /** The beginning of the hour or of the UTC day. */
  from!: Date;

  static of(bucket: ActivityBucket): ActivityBucketResponse {
    return { from: bucket.from, ...OutcomeResponse.from(bucket) };
  }
}

class QueueResponse {
  /** Accepted, and waiting for the first attempt or for the next. */
  @ApiProperty({ type: 'integer' })
  queued!: number;

  /** Being handed to the provider. */
  @ApiProperty({ type: 'integer' })
  sending!: number;
}

export class ActivityResponse {
  @ApiProperty({ enum: ['hour', 'day'] })
  interval!: ActivityInterval;

  /** The oldest first, the present one last, those without messages included. */
  buckets!: ActivityBucketResponse[];

  /** Of all buckets together. */
  total!: OutcomeResponse;

  /** Of the e-mails among them: the limits that providers set on bounces and complaints are about e-mail only. */
  email!: OutcomeResponse;

  /** Now, whenever the messages were accepted. */
  queue!: QueueResponse;

  static from({ interval, buckets, total, email, queue }: Activity): ActivityResponse {
    return {
      interval,
      buckets: buckets.map((bucket) => ActivityBucketResponse.of(bucket)),
      total: OutcomeResponse.from(total),
      email: OutcomeResponse.from(email),
      queue,
    };
  }
}

class KeyUsageResponse {
  apiKeyId!: string;

  @ApiProperty({ type: 'integer' })
  used!: number;
}

export class UsageResponse {
  /** Messages that the account may send in a UTC day. */
  @ApiProperty({ type: 'integer' })
  cap!: number;

  /** Messages accepted today, over all channels and keys. */
  @ApiProperty({ type: 'integer' })
  used!: number;

  /** The next UTC midnight. */
  resetsAt!: Date;

  /** Keys that were used today, the busiest first. */
  keys!: KeyUsageResponse[];

  static from({ cap, used, resetsAt, keys }: Usage): UsageResponse {
    return { cap, used, resetsAt, keys };
  }
}
