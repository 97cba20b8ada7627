import { PickType } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';

import { IfPresent } from '../../../../platform/http/validators.js';
import { CreateApiKeyDto } from './create-api-key.dto.js';

/** Absent fields are kept. Null clears a field, with the effect described for creation. */
export class ChangeApiKeyDto extends PickType(CreateApiKeyDto, ['ipAllowlist', 'expiresAt', 'dailyLimit']) {
  /**
   * A name to recognise the key by.
   * @example "Web shop"
   */
  @IfPresent()
  @Length(1, 100)
  @IsString()
  name?: string;
}
