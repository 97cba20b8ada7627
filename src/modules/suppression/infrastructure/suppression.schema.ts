import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { Suppression } from '../domain/suppression.js';

export const SuppressionSchema = new EntitySchema<Suppression & { addressHash: Buffer | null; isBlocked: boolean }>({
  name: 'Suppression',
  target: Suppression,
  tableName: 'suppressions',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_suppressions' },
    accountId: { ...ID, name: 'account_id' },
    channel: { type: 'text' },
    address: { type: 'text', nullable: true },
    givenAddress: { type: 'text', name: 'given_address', nullable: true },
    addressHash: { type: 'bytea', name: 'address_hash', nullable: true, select: false },
    reason: { type: 'text' },
    source: { type: 'text' },
    note: { type: 'text', nullable: true },
    messageLogId: { ...ID, name: 'message_log_id', nullable: true },
    contactId: { ...ID, name: 'contact_id', nullable: true },
    campaignId: { ...ID, name: 'campaign_id', nullable: true },
    isBlocked: { type: 'boolean', name: 'is_blocked', default: true, select: false },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
  uniques: [{ name: 'uq_suppressions_account_channel_address', columns: ['accountId', 'channel', 'address'] }],
  checks: [
    { name: 'ck_suppressions_address', expression: '(address IS NULL) = (address_hash IS NOT NULL)' },
    { name: 'ck_suppressions_given_address', expression: '(address IS NOT NULL) OR (given_address IS NULL)' },
  ],
  indices: [
    { name: 'ix_suppressions_account', columns: ['accountId', 'id'] },
    {
      name: 'ix_suppressions_campaign',
      columns: ['accountId', 'campaignId'],
      where: 'campaign_id IS NOT NULL',
    },
    { name: 'ix_suppressions_search', synchronize: false }, // gin, which TypeORM cannot describe
    {
      name: 'uq_suppressions_address_hash',
      columns: ['accountId', 'channel', 'addressHash'],
      unique: true,
      where: 'address_hash IS NOT NULL',
    },
  ],
  foreignKeys: [
    {
      name: 'fk_suppressions_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
