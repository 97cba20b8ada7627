import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

import {
  SUPPRESSION_REASONS,
  SUPPRESSION_SOURCES,
  type SuppressionReason,
  type SuppressionSource,
} from '../../domain/suppression.js';

export class DeleteSuppressionDto {
  /** Delete the entry only if it has this reason. */
  @ApiPropertyOptional({ enum: SUPPRESSION_REASONS })
  @IsOptional()
  @IsIn(SUPPRESSION_REASONS, { message: `reason must be one of ${SUPPRESSION_REASONS.join(', ')}` })
  reason?: SuppressionReason;

  /** Delete the entry only if it has this source. */
  @ApiPropertyOptional({ enum: SUPPRESSION_SOURCES })
  @IsOptional()
  @IsIn(SUPPRESSION_SOURCES, { message: `source must be one of ${SUPPRESSION_SOURCES.join(', ')}` })
  source?: SuppressionSource;
}
