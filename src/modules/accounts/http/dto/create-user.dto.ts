import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';

import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../config/limits.js';
import { IsEmailAddress } from '../../../../platform/http/validators.js';
import { type Role, ROLES } from '../../../../shared/permissions.js';

export class CreateUserDto {
  /**
   * What the person signs in with. Unique within the account.
   * @example "ada@example.com"
   */
  @IsEmailAddress()
  email!: string;

  /** @example "correct horse battery staple" */
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  @IsString()
  password!: string;

  /** `admin`: full access to the account; `member`: read access. */
  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsIn(ROLES, { message: `role must be ${ROLES.join(' or ')}` })
  role!: Role;
}
