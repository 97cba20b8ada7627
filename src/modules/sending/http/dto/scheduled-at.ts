import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

import { IsZonedIsoTime } from '../../../../platform/http/validators.js';

/** The field of every send with the time at which the message is to be submitted. */
export const ScheduledAt = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'date-time',
      nullable: true,
      example: null,
      description:
        'Not before this time: an ISO 8601 date-time with an offset, at most 90 days ahead. Up to 5 minutes past means ' +
        'at once. The message is `queued` until then, and counts towards the limits of today.',
    }),
    IsOptional(),
    IsZonedIsoTime(),
  );
