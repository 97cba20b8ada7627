import { ApiPropertyOptional, OmitType, PickType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length } from 'class-validator';

import { IsSingleLine } from '../../../../platform/http/validators.js';
import { PageDto } from '../../../../platform/http/page.dto.js';
import { type Channel, CHANNELS } from '../../../../shared/channel.js';
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../domain/suppression.js';

export class ListSuppressionsDto extends PageDto {
  /** Part of an address, compared regardless of case and Unicode form. */
  @IsOptional()
  @IsSingleLine()
  @Length(1, 200)
  @IsString()
  search?: string;

  /**
   * An email address or phone number, in any spelling: selects the entry that suppresses it, even if its contact was
   * erased.
   */
  @IsOptional()
  @IsSingleLine()
  @Length(1, 320)
  @IsString()
  address?: string;

  @ApiPropertyOptional({ enum: CHANNELS })
  @IsOptional()
  @IsIn(CHANNELS, { message: `channel must be ${CHANNELS.join(' or ')}` })
  channel?: Channel;

  @ApiPropertyOptional({ enum: SUPPRESSION_REASONS })
  @IsOptional()
  @IsIn(SUPPRESSION_REASONS, { message: `reason must be one of ${SUPPRESSION_REASONS.join(', ')}` })
  reason?: SuppressionReason;

  /** The suppressions by messages of test keys, which apply to these keys alone. */
  @ApiPropertyOptional({ enum: ['true'] })
  @IsOptional()
  @IsIn(['true'], { message: 'test must be true' })
  test?: 'true';
}

/** The filters of the list, without its paging. */
export class FilterSuppressionsDto extends OmitType(ListSuppressionsDto, ['page', 'limit', 'address']) {}

/** Which suppressions are meant: those of live sends or, with `test`, those of test keys. */
export class GetSuppressionDto extends PickType(ListSuppressionsDto, ['test']) {}
