import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';

import { IsEmailAddress, IsSingleLine } from '../../../../platform/http/validators.js';
import {
  MAX_LISTS_OF_CONTACT,
  MAX_NAME_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  WRITABLE_STATUSES,
  type WritableStatus,
} from '../../domain/contact.js';

/** Absent fields are kept, null clears. */
export class ChangeContactDto {
  /** @example "Ada" */
  @IsOptional()
  @IsSingleLine()
  @MaxLength(MAX_NAME_LENGTH)
  @IsString()
  firstName?: string | null;

  /** @example "Lovelace" */
  @IsOptional()
  @IsSingleLine()
  @MaxLength(MAX_NAME_LENGTH)
  @IsString()
  lastName?: string | null;

  /** @example "Analytical Engines Ltd" */
  @IsOptional()
  @IsSingleLine()
  @MaxLength(MAX_NAME_LENGTH)
  @IsString()
  company?: string | null;

  /**
   * Replaces all tags.
   * @example ["customer"]
   */
  @IsOptional()
  @Length(1, MAX_TAG_LENGTH, { each: true })
  @IsSingleLine({ each: true })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_TAGS)
  @IsArray()
  tags?: string[] | null;

  /**
   * `unsubscribed` suppresses the address. `active`, or null, which means the same, does not lift a suppression: it is
   * refused while the address is suppressed.
   */
  @ApiPropertyOptional({ enum: [...WRITABLE_STATUSES, null], type: String, nullable: true })
  @IsOptional()
  @IsIn(WRITABLE_STATUSES, { message: `status must be ${WRITABLE_STATUSES.join(' or ')}` })
  status?: WritableStatus | null;

  /** Replaces all lists of the contact. */
  @IsOptional()
  @Length(1, MAX_TAG_LENGTH, { each: true })
  @IsSingleLine({ each: true })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_LISTS_OF_CONTACT)
  @IsArray()
  listIds?: string[] | null;
}

export class UpsertContactDto extends ChangeContactDto {
  /**
   * Identifies the contact, in any spelling.
   * @example "ada@example.com"
   */
  @IsEmailAddress()
  email!: string;
}
