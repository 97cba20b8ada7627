import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

import { PageDto } from '../../../../platform/http/page.dto.js';
import { API_KEY_STATUSES, type ApiKeyStatus } from '../../domain/api-key.js';

export class ListApiKeysDto extends PageDto {
  @ApiPropertyOptional({ enum: API_KEY_STATUSES })
  @IsOptional()
  @IsIn(API_KEY_STATUSES, { message: `status must be one of ${API_KEY_STATUSES.join(', ')}` })
  status?: ApiKeyStatus;
}
