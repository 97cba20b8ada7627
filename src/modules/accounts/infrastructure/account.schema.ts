import { EntitySchema } from 'typeorm';

import { DEFAULT_CAMPAIGN_CAP_PERCENT, DEFAULT_DAILY_SEND_CAP } from '../../../config/limits.js';
import { ID } from '../../../platform/database/columns.js';
import { DEFAULT_EMAIL_PROVIDER } from '../../../shared/account-provider.js';
import { Account } from '../domain/account.js';

export const AccountSchema = new EntitySchema<Account>({
  name: 'Account',
  target: Account,
  tableName: 'accounts',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_accounts' },
    testOf: { ...ID, name: 'test_of', nullable: true },
    name: { type: 'text' },
    dailySendCap: { type: 'integer', name: 'daily_send_cap', default: DEFAULT_DAILY_SEND_CAP },
    campaignCapShare: { type: 'smallint', name: 'campaign_cap_share', default: DEFAULT_CAMPAIGN_CAP_PERCENT },
    emailProvider: { type: 'text', name: 'email_provider', default: DEFAULT_EMAIL_PROVIDER },
    smtp: { type: 'jsonb', nullable: true },
    ses: { type: 'jsonb', nullable: true },
    sms: { type: 'jsonb', nullable: true },
    tracking: { type: 'text', default: 'off' },
    trackingConsent: { type: 'text', name: 'tracking_consent', default: 'not_required' },
    consentRequiredFor: { type: 'text', name: 'consent_required_for', default: 'none' },
    logoUrl: { type: 'text', name: 'logo_url', nullable: true },
    brandColor: { type: 'text', name: 'brand_color', nullable: true },
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
