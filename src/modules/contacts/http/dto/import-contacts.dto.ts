import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsArray, IsBoolean, IsString, Length } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import { ImportedContactDto } from './imported-contact.dto.js';

export class ImportContactsDto {
  /** At most 5,000; batches of up to 500 are recommended. Each contact is validated separately. */
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath(ImportedContactDto) },
    example: [{ email: 'ada@example.com', firstName: 'Ada', tags: ['customer'], consentAt: '2026-01-31' }],
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

  /** Writes nothing: the counts and errors are those that the import would have. */
  @IfPresent()
  @IsBoolean()
  dryRun?: boolean;
}
