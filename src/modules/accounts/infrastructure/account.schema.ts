import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { Account, DEFAULT_DAILY_SEND_CAP } from '../domain/account.js';

export const AccountSchema = new EntitySchema<Account>({
  name: 'Account',
  target: Account,
  tableName: 'accounts',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_accounts' },
    name: { type: 'text' },
    dailySendCap: { type: 'integer', name: 'daily_send_cap', default: DEFAULT_DAILY_SEND_CAP },
    emailProvider: { type: 'text', name: 'email_provider', default: 'smtp' },
    smtp: { type: 'jsonb', nullable: true },
    ses: { type: 'jsonb', nullable: true },
    sms: { type: 'jsonb', nullable: true },
    tracking: { type: 'text', default: 'off' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
});
