import { IsString, Length } from 'class-validator';

import { MAX_EMAIL_LENGTH } from '../../../../shared/email-address.js';
import { MAX_PASSWORD_LENGTH } from '../../domain/user.js';

export class LoginDto {
  /**
   * Upper and lower case are the same.
   * @example "ada@example.com"
   */
  @Length(1, MAX_EMAIL_LENGTH)
  @IsString()
  email!: string;

  /** @example "correct horse battery staple" */
  @Length(1, MAX_PASSWORD_LENGTH)
  @IsString()
  password!: string;
}
