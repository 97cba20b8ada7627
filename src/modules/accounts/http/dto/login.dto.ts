import { IsOptional, IsString, Length, Matches } from 'class-validator';

import { MAX_PASSWORD_LENGTH } from '../../../../config/limits.js';
import { MAX_EMAIL_LENGTH } from '../../../../shared/email-address.js';

export class LoginDto {
  /**
   * Not case-sensitive.
   * @example "ada@example.com"
   */
  @Length(1, MAX_EMAIL_LENGTH)
  @IsString()
  email!: string;

  /** @example "correct horse battery staple" */
  @Length(1, MAX_PASSWORD_LENGTH)
  @IsString()
  password!: string;

  /**
   * Needed only if the email belongs to users of several accounts with the same password, or of more than three
   * accounts.
   * @example "cmwpzl3k0a1b2c3d4e5f6g7h8"
   */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'accountId must be the id of an account' })
  @IsString()
  accountId?: string | null;
}
