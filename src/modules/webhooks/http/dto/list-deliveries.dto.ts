import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length } from 'class-validator';

import { LimitDto } from '../../../../platform/http/page.dto.js';
import { DELIVERY_STATES, type DeliveryState } from '../../domain/webhook-delivery.js';

export class ListDeliveriesDto extends LimitDto {
  @ApiPropertyOptional({ enum: DELIVERY_STATES })
  @IsOptional()
  @IsIn(DELIVERY_STATES, { message: `state must be one of ${DELIVERY_STATES.join(', ')}` })
  state?: DeliveryState;

  /** The `nextCursor` of the previous page. */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  cursor?: string;
}
