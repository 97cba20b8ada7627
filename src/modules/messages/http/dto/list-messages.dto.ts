import { IntersectionType } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';

import { LimitDto } from '../../../../platform/http/page.dto.js';
import { FilterMessagesDto } from './filter-messages.dto.js';

export class ListMessagesDto extends IntersectionType(FilterMessagesDto, LimitDto) {
  /** The `nextCursor` of the page before, with the same filters. */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  cursor?: string;
}
