import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { User } from '../domain/user.js';

export const UserSchema = new EntitySchema<User>({
  name: 'User',
  target: User,
  tableName: 'users',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_users' },
    accountId: { ...ID, name: 'account_id' },
    email: { type: 'text' },
    normalisedEmail: { type: 'text', name: 'normalised_email' },
    passwordHash: { type: 'text', name: 'password_hash' },
    role: { type: 'text' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
  uniques: [{ name: 'uq_users_normalised_email', columns: ['accountId', 'normalisedEmail'] }],
  indices: [
    { name: 'ix_users_account', columns: ['accountId', 'id'] },
    { name: 'ix_users_normalised_email', columns: ['normalisedEmail', 'id'] },
  ],
  foreignKeys: [
    {
      name: 'fk_users_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
