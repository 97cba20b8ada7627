import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length } from 'class-validator';

import { MAX_CONTACT_TAG_LENGTH } from '../../../../config/limits.js';
import { IsSingleLine } from '../../../../platform/http/validators.js';
import { PageDto } from '../../../../platform/http/page.dto.js';
import { CONTACT_STATUSES, type ContactStatus } from '../../domain/contact.js';

export class ListContactsDto extends PageDto {
  /** Part of the email, first name, last name or company, in any case. */
  @IsOptional()
  @Length(1, 200)
  @IsSingleLine()
  @IsString()
  search?: string;

  @ApiPropertyOptional({ enum: CONTACT_STATUSES })
  @IsOptional()
  @IsIn(CONTACT_STATUSES, { message: `status must be one of ${CONTACT_STATUSES.join(', ')}` })
  status?: ContactStatus;

  /** The exact tag, case-sensitive. */
  @IsOptional()
  @Length(1, MAX_CONTACT_TAG_LENGTH)
  @IsSingleLine()
  @IsString()
  tag?: string;

  @IsOptional()
  @Length(1, 100)
  @IsSingleLine()
  @IsString()
  listId?: string;

  /** Who is in the topic: has subscribed to it, or is in it by default and has not unsubscribed. */
  @IsOptional()
  @Length(1, 100)
  @IsSingleLine()
  @IsString()
  topicId?: string;
}

/** The filters of the list, without its paging. */
export class FilterContactsDto extends OmitType(ListContactsDto, ['page', 'limit']) {}
