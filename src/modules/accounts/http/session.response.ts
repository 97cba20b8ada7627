import { ApiProperty } from '@nestjs/swagger';

import { type Role, ROLES } from '../../../shared/permissions.js';
import type { Account } from '../domain/account.js';
import type { User } from '../domain/user.js';

class SessionUser {
  id!: string;
  /** @example "grace@example.com" */
  email!: string;

  @ApiProperty({ enum: ROLES })
  role!: Role;
}

class SessionAccount {
  id!: string;
  /** @example "Example" */
  name!: string;
}

/** The signed-in user and the account. */
export class SessionResponse {
  user!: SessionUser;
  account!: SessionAccount;

  static from(user: User, account: Account): SessionResponse {
    return {
      user: { id: user.id, email: user.email, role: user.role },
      account: { id: account.id, name: account.name },
    };
  }
}

export class LoginResponse extends SessionResponse {
  /**
   * A JWT, to be sent as `Authorization: Bearer <accessToken>`.
   * @example "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"
   */
  accessToken!: string;

  @ApiProperty({ enum: ['Bearer'] })
  tokenType!: 'Bearer';

  /**
   * The lifetime of the token in seconds.
   * @example 43200
   */
  expiresIn!: number;
}
