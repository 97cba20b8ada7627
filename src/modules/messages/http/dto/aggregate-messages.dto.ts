import { IsOptional, IsString, Length } from 'class-validator';

import { IsSingleLine } from '../../../../platform/http/validators.js';
import { FilterMessagesDto } from './filter-messages.dto.js';

export class AggregateMessagesDto extends FilterMessagesDto {
  /** The whole subject as it was sent, upper and lower case included. */
  @IsOptional()
  @IsSingleLine()
  @Length(1, 998)
  @IsString()
  subject?: string;

  @IsOptional()
  @IsSingleLine()
  @Length(1, 100)
  @IsString()
  campaignId?: string;
}
