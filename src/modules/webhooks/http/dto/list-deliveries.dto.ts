import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

import { CursorDto } from '../../../../platform/http/page.dto.js';
import { DELIVERY_STATES, type DeliveryState } from '../../domain/webhook-delivery.js';

export class ListDeliveriesDto extends CursorDto {
  @ApiPropertyOptional({ enum: DELIVERY_STATES })
  @IsOptional()
  @IsIn(DELIVERY_STATES, { message: `state must be one of ${DELIVERY_STATES.join(', ')}` })
  state?: DeliveryState;
}
