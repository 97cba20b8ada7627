import { IsString, Length } from 'class-validator';

import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../config/limits.js';

export class ChangePasswordDto {
  /** @example "correct horse battery staple" */
  @Length(1, MAX_PASSWORD_LENGTH)
  @IsString()
  currentPassword!: string;

  /**
   * The new password.
   * @example "a better horse battery staple"
   */
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  @IsString()
  password!: string;
}
