import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsArray, IsString, Length } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import { UpsertContactDto } from './write-contact.dto.js';

export class ImportContactsDto {
  /** At most 5,000; batches of up to 500 are recommended. Each contact is validated separately. */
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath(UpsertContactDto) },
    example: [{ email: 'ada@example.com', firstName: 'Ada', tags: ['customer'] }],
  })
  @Untransformed()
  @IsArray()
  contacts!: unknown[];

  /** A list to add all of them to. */
  @IfPresent()
  @Length(1, 100)
  @IsSingleLine()
  @IsString()
  listId?: string;
}
