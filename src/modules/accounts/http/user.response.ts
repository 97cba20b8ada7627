import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import { type Role, ROLES } from '../../../shared/permissions.js';
import type { User } from '../domain/user.js';

export class UserResponse {
  id!: string;
  /** @example "grace@example.com" */
  email!: string;

  @ApiProperty({ enum: ROLES })
  role!: Role;

  createdAt!: Date;
  updatedAt!: Date;

  static from({ id, email, role, createdAt, updatedAt }: User): UserResponse {
    return { id, email, role, createdAt, updatedAt };
  }
}

export class UserPageResponse {
  items!: UserResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<User>): UserPageResponse {
    return { items: items.map((user) => UserResponse.from(user)), ...page };
  }
}
