import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { ApiKey } from '../domain/api-key.js';

export const ApiKeySchema = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  target: ApiKey,
  tableName: 'api_keys',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_api_keys' },
    accountId: { ...ID, name: 'account_id' },
    testOf: { ...ID, name: 'test_of', nullable: true },
    name: { type: 'text' },
    prefix: { type: 'text' },
    secretHash: { type: 'bytea', name: 'secret_hash' },
    scopes: { type: 'text', array: true },
    ipAllowlist: { type: 'text', array: true, name: 'ip_allowlist' },
    dailyLimit: { type: 'integer', name: 'daily_limit', nullable: true },
    expiresAt: { type: 'timestamptz', name: 'expires_at', nullable: true },
    lastUsedAt: { type: 'timestamptz', name: 'last_used_at', nullable: true },
    revokedAt: { type: 'timestamptz', name: 'revoked_at', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
  uniques: [{ name: 'uq_api_keys_secret_hash', columns: ['secretHash'] }],
  indices: [{ name: 'ix_api_keys_account', columns: ['accountId', 'id'] }],
  foreignKeys: [
    {
      name: 'fk_api_keys_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
