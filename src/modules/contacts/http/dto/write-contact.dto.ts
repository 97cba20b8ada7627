import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsObject, IsOptional, IsString, Length, MaxLength } from 'class-validator';

import {
  MAX_CONTACT_NAME_LENGTH,
  MAX_CONTACT_TAGS,
  MAX_CONTACT_TAG_LENGTH,
  MAX_LISTS_OF_CONTACT,
} from '../../../../config/limits.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import { IsEmailAddress, IsSingleLine } from '../../../../platform/http/validators.js';
import { attributeFaults, type AttributeValue } from '../../../../shared/attributes.js';
import { WRITABLE_STATUSES, type WritableStatus } from '../../domain/contact.js';

/** Absent fields are kept, null clears. */
export class ChangeContactDto {
  /** @example "Ada" */
  @IsOptional()
  @IsSingleLine()
  @MaxLength(MAX_CONTACT_NAME_LENGTH)
  @IsString()
  firstName?: string | null;

  /** @example "Lovelace" */
  @IsOptional()
  @IsSingleLine()
  @MaxLength(MAX_CONTACT_NAME_LENGTH)
  @IsString()
  lastName?: string | null;

  /** @example "Analytical Engines Ltd" */
  @IsOptional()
  @IsSingleLine()
  @MaxLength(MAX_CONTACT_NAME_LENGTH)
  @IsString()
  company?: string | null;

  /**
   * Fields of the account's own, for placeholders such as {{attributes.city}}: strings, numbers and booleans by names
   * of 1 to 40 letters, digits and underscores. Absent keys are kept, null removes a key, and null in place of the
   * object removes all. A contact has at most 50, of 4,096 bytes of JSON together.
   * @example { "city": "London", "visits": 3, "vip": true }
   */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string', nullable: true }, { type: 'number' }, { type: 'boolean' }] },
    nullable: true,
  })
  @IsOptional()
  @Untransformed(attributeFaults)
  @IsObject()
  attributes?: Record<string, AttributeValue | null> | null;

  /**
   * Replaces all tags.
   * @example ["customer"]
   */
  @IsOptional()
  @Length(1, MAX_CONTACT_TAG_LENGTH, { each: true })
  @IsSingleLine({ each: true })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_CONTACT_TAGS)
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
  @Length(1, MAX_CONTACT_TAG_LENGTH, { each: true })
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
