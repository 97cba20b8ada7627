import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

import { ACTIVITY_PERIODS, type ActivityPeriod } from '../../domain/activity.js';

export class ShowActivityDto {
  /** The last 24 hours, by hours, or the last 7 or 30 UTC days, by days. The present hour or day is the last of them. */
  @ApiPropertyOptional({ enum: ACTIVITY_PERIODS })
  @IsIn(ACTIVITY_PERIODS)
  period: ActivityPeriod = '24h';
}
