import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, Length } from 'class-validator';

import { IsIsoTime, IsSingleLine } from '../../../../platform/http/validators.js';
import { type Channel, CHANNELS } from '../../../../shared/channel.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../../domain/message-log.js';

const splitAtCommas = (value: unknown): unknown => (typeof value === 'string' ? value.split(',') : value);

/** The filters that the list and the aggregate share; all given ones hold. */
export class FilterMessagesDto {
  /** One status or several, separated by commas or repeated. */
  @ApiPropertyOptional({ enum: MESSAGE_STATUSES, isArray: true })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat().flatMap(splitAtCommas))
  @IsIn(MESSAGE_STATUSES, { each: true, message: `status must be one or several of ${MESSAGE_STATUSES.join(', ')}` })
  status?: MessageStatus[];

  @ApiPropertyOptional({ enum: CHANNELS })
  @IsOptional()
  @IsIn(CHANNELS, { message: `channel must be ${CHANNELS.join(' or ')}` })
  channel?: Channel;

  /** Part of the recipient, the sender or the subject, in any case. No character has a special meaning. */
  @IsOptional()
  @IsSingleLine()
  @Length(1, 200)
  @IsString()
  search?: string;

  /** Accepted at this time or later: an ISO 8601 date, for the beginning of that UTC day, or date-time. */
  @ApiPropertyOptional({ example: '2026-11-01' })
  @IsOptional()
  @IsIsoTime()
  from?: string;

  /** Accepted before this date-time or, where it is a date, until the end of that UTC day. */
  @ApiPropertyOptional({ example: '2026-11-30' })
  @IsOptional()
  @IsIsoTime()
  to?: string;
}
