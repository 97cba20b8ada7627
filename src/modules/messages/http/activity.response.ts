import { ApiProperty } from '@nestjs/swagger';

import type { Activity, Usage } from '../application/show-activity.service.js';
import { ACTIVITY_INTERVALS, type ActivityBucket, type ActivityInterval, type Outcome } from '../domain/activity.js';

class OutcomeResponse {
  @ApiProperty({ type: 'integer' })
  accepted!: number;

  /** Accepted by the provider, including those that bounced later. */
  @ApiProperty({ type: 'integer' })
  sent!: number;

  /** Reported as delivered by the provider; includes complaints. */
  @ApiProperty({ type: 'integer' })
  delivered!: number;

  @ApiProperty({ type: 'integer' })
  bounced!: number;

  @ApiProperty({ type: 'integer' })
  complained!: number;

  @ApiProperty({ type: 'integer' })
  failed!: number;

  /** Messages that a person opened at least once. */
  @ApiProperty({ type: 'integer' })
  opened!: number;

  /** Messages in which a person clicked at least once. */
  @ApiProperty({ type: 'integer' })
  clicked!: number;

  static from(outcome: Outcome): OutcomeResponse {
    const { accepted, sent, delivered, bounced, complained, failed, opened, clicked } = outcome;
    return { accepted, sent, delivered, bounced, complained, failed, opened, clicked };
  }
}

class ActivityBucketResponse extends OutcomeResponse {
  /** The start of the hour or UTC day. */
  from!: Date;

  static override from(bucket: ActivityBucket): ActivityBucketResponse {
    return { from: bucket.from, ...OutcomeResponse.from(bucket) };
  }
}

class ReportedResponse {
  /** False: the provider reports no deliveries, so `delivered` is not known. */
  delivered!: boolean;

  /** False: nobody counts opens, so `opened` is not known. */
  opened!: boolean;

  /** False: nobody counts clicks, so `clicked` is not known. */
  clicked!: boolean;

  /**
   * False: the e-mail provider reports no bounces, so of these `bounced` has only the recipients whom it refused at
   * once.
   */
  bounced!: boolean;

  /** False: the e-mail provider reports no complaints, so `complained` is not known. */
  complained!: boolean;
}

class QueueResponse {
  /** Accepted and waiting for an attempt. */
  @ApiProperty({ type: 'integer' })
  queued!: number;

  /** Being submitted to the provider. */
  @ApiProperty({ type: 'integer' })
  sending!: number;
}

export class ActivityResponse {
  @ApiProperty({ enum: ACTIVITY_INTERVALS })
  interval!: ActivityInterval;

  /** Oldest first, the current one last, including those without messages. */
  buckets!: ActivityBucketResponse[];

  /** The sum of all buckets. */
  total!: OutcomeResponse;

  /** E-mails only: providers' limits on bounces and complaints apply to e-mail. */
  email!: OutcomeResponse;

  /** Which of the results are reported, by the provider or by the tracking of the service. */
  reported!: ReportedResponse;

  /** The current queue, regardless of the period. */
  queue!: QueueResponse;

  static from({ interval, buckets, total, email, reported, queue }: Activity): ActivityResponse {
    const {
      deliveries: delivered,
      opens: opened,
      clicks: clicked,
      bounces: bounced,
      complaints: complained,
    } = reported;
    return {
      interval,
      buckets: buckets.map((bucket) => ActivityBucketResponse.from(bucket)),
      total: OutcomeResponse.from(total),
      email: OutcomeResponse.from(email),
      reported: { delivered, opened, clicked, bounced, complained },
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
  /**
   * Messages that the account may send in a UTC day.
   * @example 1000
   */
  @ApiProperty({ type: 'integer' })
  cap!: number;

  /** Messages accepted today, for all channels and live keys. */
  @ApiProperty({ type: 'integer' })
  used!: number;

  /** The next UTC midnight. */
  resetsAt!: Date;

  /** Keys, live and test, that sent messages today, highest usage first. */
  keys!: KeyUsageResponse[];

  static from({ cap, used, resetsAt, keys }: Usage): UsageResponse {
    return { cap, used, resetsAt, keys };
  }
}

export class MessagesVersionResponse {
  /** @example "42" */
  version!: string;
}
