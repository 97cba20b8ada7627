import type { Role } from '../../../shared/roles.js';

/** A person who signs in to the dashboard; belongs to one account. */
export class User {
  id!: string;
  accountId!: string;
  email!: string;
  /** Unique in the installation: it is what a person signs in with. */
  normalisedEmail!: string;
  /** argon2id. */
  passwordHash!: string;
  role!: Role;
  createdAt!: Date;
  updatedAt!: Date;
}
