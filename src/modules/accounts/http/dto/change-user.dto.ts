import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';

import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../config/limits.js';
import { IfPresent, IsEmailAddress } from '../../../../platform/http/validators.js';
import { type Role, ROLES } from '../../../../shared/permissions.js';

/** Absent fields are kept. */
export class ChangeUserDto {
  /**
   * What the person signs in with. Unique within the account.
   * @example "grace@example.com"
   */
  @IfPresent()
  @IsEmailAddress()
  email?: string;

  /**
   * A new password ends the user's sessions.
   * @example "correct horse battery staple"
   */
  @IfPresent()
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  @IsString()
  password?: string;

  /** `admin`: full access to the account; `member`: read access. */
  @ApiPropertyOptional({ enum: ROLES, example: 'member' })
  @IfPresent()
  @IsIn(ROLES, { message: `role must be ${ROLES.join(' or ')}` })
  role?: Role;
}
