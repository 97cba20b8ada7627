import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches } from 'class-validator';

import { MAX_CANCELED_AT_A_TIME } from '../../../../config/limits.js';
import { IsZonedIsoTime } from '../../../../platform/http/validators.js';

export class RescheduleMessageDto {
  /** The new time: an ISO 8601 date-time with an offset, at most 90 days ahead. Up to 5 minutes past means at once. */
  @ApiProperty({ format: 'date-time', example: '2027-01-04T09:00:00.000Z' })
  @IsZonedIsoTime()
  scheduledAt!: string;
}

export class CancelMessagesDto {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_CANCELED_AT_A_TIME,
    example: ['c0mk3v9p0x7f2k9d1q8z5w4ab'],
  })
  @Matches(/^c[a-z0-9]{24}$/, { each: true, message: 'ids must be ids of messages' })
  @ArrayMaxSize(MAX_CANCELED_AT_A_TIME)
  @ArrayMinSize(1)
  @IsArray()
  ids!: string[];
}
