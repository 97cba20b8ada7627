import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

import { LimitDto, toInteger } from '../../../../platform/http/page.dto.js';
import { EVENT_TYPES, type EventType } from '../../../../shared/event-types.js';
import { splitAtCommas } from './message-filters.dto.js';

export const MAX_WAIT_SECONDS = 30;

export class FollowEventsDto extends LimitDto {
  /**
   * The `nextCursor` of an earlier response, or the `cursor` of the last event that you have processed. Without it, no
   * events are returned, and `nextCursor` is the present end.
   */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  after?: string;

  /** One or several types, separated by commas or repeated. The others are skipped. */
  @ApiPropertyOptional({ enum: EVENT_TYPES, isArray: true })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat().flatMap(splitAtCommas))
  @IsIn(EVENT_TYPES, { each: true, message: `types must be one or several of ${EVENT_TYPES.join(', ')}` })
  types?: EventType[];

  /** How many seconds to wait for an event if there is none yet. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Transform(toInteger)
  @Min(0)
  @Max(MAX_WAIT_SECONDS)
  @IsInt()
  wait: number = 0;

  /** The events of test messages instead of those of the live ones. A test key sees those with and without it. */
  @ApiPropertyOptional({ enum: ['true'] })
  @IsOptional()
  @IsIn(['true'], { message: 'test must be true' })
  test?: 'true';
}
