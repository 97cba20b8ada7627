import { IsString, Length, Matches } from 'class-validator';

import { IsSingleLine } from '../../../../platform/http/validators.js';
import { MAX_LIST_NAME_LENGTH } from '../../domain/contact-list.js';

export class WriteListDto {
  /**
   * Unique in the account, regardless of case.
   * @example "Newsletter"
   */
  @Matches(/\S/, { message: 'name must not be blank' })
  @IsSingleLine()
  @Length(1, MAX_LIST_NAME_LENGTH)
  @IsString()
  name!: string;
}
