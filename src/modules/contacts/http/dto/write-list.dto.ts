import { IsString, Length } from 'class-validator';

import { IsNotBlank, IsSingleLine } from '../../../../platform/http/validators.js';
import { MAX_LIST_NAME_LENGTH } from '../../domain/contact-list.js';

export class WriteListDto {
  /**
   * Unique in the account, regardless of case.
   * @example "Newsletter"
   */
  @IsNotBlank()
  @IsSingleLine()
  @Length(1, MAX_LIST_NAME_LENGTH)
  @IsString()
  name!: string;
}
