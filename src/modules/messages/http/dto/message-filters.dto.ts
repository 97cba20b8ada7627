import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';

import { IsIsoTime, IsSingleLine } from '../../../../platform/http/validators.js';
import { CursorDto } from '../../../../platform/http/page.dto.js';
import { type Channel, CHANNELS } from '../../../../shared/channel.js';
import { ACTIVITY_PERIODS, type ActivityPeriod } from '../../domain/activity.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../../domain/message-log.js';

export const splitAtCommas = (value: unknown): unknown => (typeof value === 'string' ? value.split(',') : value);

/** The filters of the list and the aggregate. A message has to match all given ones. */
export class FilterMessagesDto {
  /** One or several statuses, separated by commas or repeated. */
  @ApiPropertyOptional({ enum: MESSAGE_STATUSES, isArray: true })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat().flatMap(splitAtCommas))
  @IsIn(MESSAGE_STATUSES, { each: true, message: `status must be one or several of ${MESSAGE_STATUSES.join(', ')}` })
  status?: MessageStatus[];

  @ApiPropertyOptional({ enum: CHANNELS })
  @IsOptional()
  @IsIn(CHANNELS, { message: `channel must be ${CHANNELS.join(' or ')}` })
  channel?: Channel;

  /** A tag that the message was sent with. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,50}$/, { message: 'tag must be 1 to 50 letters, digits, underscores and hyphens' })
  tag?: string;

  /** The topic that the message was sent with. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'topicId must be the id of a topic' })
  topicId?: string;

  /** Only messages that wait for their scheduled time. */
  @ApiPropertyOptional({ enum: ['true'] })
  @IsOptional()
  @IsIn(['true'], { message: 'scheduled must be true' })
  scheduled?: 'true';

  /** The messages of test keys instead of the live ones. A test key sees its messages with and without it. */
  @ApiPropertyOptional({ enum: ['true'] })
  @IsOptional()
  @IsIn(['true'], { message: 'test must be true' })
  test?: 'true';

  /** Part of the recipient, the sender or the subject, case-insensitive. No character has a special meaning. */
  @IsOptional()
  @IsSingleLine()
  @Length(1, 200)
  @IsString()
  search?: string;

  /** Accepted at this time or later: an ISO 8601 date, meaning the start of that UTC day, or date-time. */
  @ApiPropertyOptional({ example: '2026-11-01' })
  @IsOptional()
  @IsIsoTime()
  from?: string;

  /** Accepted before this date-time or, if it is a date, until the end of that UTC day. */
  @ApiPropertyOptional({ example: '2026-11-30' })
  @IsOptional()
  @IsIsoTime()
  to?: string;
}

export class ListMessagesDto extends IntersectionType(FilterMessagesDto, CursorDto) {}

export class AggregateMessagesDto extends FilterMessagesDto {
  /** The whole subject as it was sent, case-sensitive. */
  @IsOptional()
  @IsSingleLine()
  @Length(1, 998)
  @IsString()
  subject?: string;

  @IsOptional()
  @IsSingleLine()
  @Length(1, 100)
  @IsString()
  campaignId?: string;
}

export class ShowActivityDto {
  /** The last 24 hours, by hour, or the last 7 or 30 UTC days, by day. The last hour or day is the current one. */
  @ApiPropertyOptional({ enum: ACTIVITY_PERIODS })
  @IsIn(ACTIVITY_PERIODS)
  period: ActivityPeriod = '24h';

  /** Counts the messages of test keys instead of the live ones. */
  @ApiPropertyOptional({ enum: ['true'] })
  @IsOptional()
  @IsIn(['true'], { message: 'test must be true' })
  test?: 'true';
}
