import { IsOptional, IsString, Length } from 'class-validator';

import { IsSingleLine } from '../../../../platform/http/is-single-line.js';
import { FilterMessagesDto } from './filter-messages.dto.js';

export class AggregateMessagesDto extends FilterMessagesDto {
  /** The whole subject as it was sent, upper and lower case included. */
  @IsOptional()
  @IsSingleLine()
  @IsString()
  @Length(1, 998)
  subject?: string;

  @IsOptional()
  @IsSingleLine()
  @IsString()
  @Length(1, 100)
  campaignId?: string;
}
