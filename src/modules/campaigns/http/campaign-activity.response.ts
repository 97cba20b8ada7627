import { ApiProperty } from '@nestjs/swagger';

import { ACTIVITY_INTERVALS, type ActivityInterval, type CampaignEventBucket } from '../../messages/index.js';
import type { CampaignActivity } from '../application/show-campaign-activity.service.js';

class CampaignActivityBucketResponse {
  /** The start of the hour or UTC day. */
  from!: Date;

  /** Messages accepted by the provider. */
  @ApiProperty({ type: 'integer' })
  sent!: number;

  /** Messages reported as delivered by the provider. */
  @ApiProperty({ type: 'integer' })
  delivered!: number;

  /** Opens by people, including repeated ones; those by scanners and prefetchers are excluded. */
  @ApiProperty({ type: 'integer' })
  opens!: number;

  /** Clicks by people, like `opens`. */
  @ApiProperty({ type: 'integer' })
  clicks!: number;

  static from({ from, sent, delivered, opens, clicks }: CampaignEventBucket): CampaignActivityBucketResponse {
    return { from, sent, delivered, opens, clicks };
  }
}

export class CampaignActivityResponse {
  @ApiProperty({ enum: ACTIVITY_INTERVALS })
  interval!: ActivityInterval;

  /** Oldest first, including those without events; none before the start. At most 48 hours or 90 days. */
  buckets!: CampaignActivityBucketResponse[];

  static from({ interval, buckets }: CampaignActivity): CampaignActivityResponse {
    return { interval, buckets: buckets.map((bucket) => CampaignActivityBucketResponse.from(bucket)) };
  }
}
