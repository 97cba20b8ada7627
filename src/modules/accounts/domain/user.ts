import { createHash } from 'node:crypto';

import { normaliseEmail } from '../../../shared/email-address.js';
import type { Role } from '../../../shared/permissions.js';

export interface NewUser {
  accountId: string;
  email: string;
  passwordHash: string;
  role: Role;
}

/** A person who signs in to the dashboard of one account. The email may also belong to users of other accounts. */
export class User {
  id!: string;
  accountId!: string;
  email!: string;
  /** Unique in the account. */
  normalisedEmail!: string;
  /** argon2id. */
  passwordHash!: string;
  role!: Role;
  createdAt!: Date;
  updatedAt!: Date;

  static register(id: string, { email, ...user }: NewUser, now: Date): User {
    return Object.assign(new User(), user, {
      id,
      email,
      normalisedEmail: normaliseEmail(email),
      createdAt: now,
      updatedAt: now,
    });
  }

  change({ email, passwordHash, role }: Partial<NewUser>, now: Date): void {
    if (email !== undefined) Object.assign(this, { email, normalisedEmail: normaliseEmail(email) });
    this.passwordHash = passwordHash ?? this.passwordHash;
    this.role = role ?? this.role;
    this.updatedAt = now;
  }

  /**
   * Different for each password that was ever set, so that sessions end when the password changes. The hash is salted,
   * so the stamp reveals nothing about the password.
   */
  get sessionStamp(): string {
    return createHash('sha256').update(this.passwordHash).digest('base64url').slice(0, STAMP_LENGTH);
  }
}

const STAMP_LENGTH = 22;
