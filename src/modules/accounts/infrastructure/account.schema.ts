import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { Account, DEFAULT_CAMPAIGN_CAP_SHARE, DEFAULT_DAILY_SEND_CAP } from '../domain/account.js';

export const AccountSchema = new EntitySchema<Account>({
  name: 'Account',
  target: Account,
  tableName: 'accounts',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_accounts' },
    testOf: { ...ID, name: 'test_of', nullable: true },
    name: { type: 'text' },
    dailySendCap: { type: 'integer', name: 'daily_send_cap', default: DEFAULT_DAILY_SEND_CAP },
    campaignCapShare: { type: 'smallint', name: 'campaign_cap_share', default: DEFAULT_CAMPAIGN_CAP_SHARE },
    emailProvider: { type: 'text', name: 'email_provider', default: 'smtp' },
    smtp: { type: 'jsonb', nullable: true },
    ses: { type: 'jsonb', nullable: true },
    sms: { type: 'jsonb', nullable: true },
    tracking: { type: 'text', default: 'off' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
  uniques: [{ name: 'uq_accounts_test_of', columns: ['testOf'] }],
  foreignKeys: [
    {
      name: 'fk_accounts_test_of',
      target: 'Account',
      columnNames: ['testOf'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
