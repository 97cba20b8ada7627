import { Transform } from 'class-transformer';
import { IsDate } from 'class-validator';

import { parseIsoTime } from '../../../../shared/iso-time.js';

export class RetryFailedDeliveriesDto {
  /**
   * Deliveries of events before this time are left as they are.
   * @example "2026-11-21T10:00:00.000Z"
   */
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (parseIsoTime(value)?.at ?? value) : value,
  )
  @IsDate({ message: 'since must be an ISO 8601 date-time' })
  since!: Date;
}
