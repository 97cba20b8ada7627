import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { SERVICE_KEY } from '../../../shared/provider-key.js';
import { Domain } from '../domain/domain.js';

export const ONE_ACCOUNT_PER_VERIFIED_NAME = 'uq_domains_verified_name';

export const DomainSchema = new EntitySchema<Domain>({
  name: 'Domain',
  target: Domain,
  tableName: 'domains',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_domains' },
    accountId: { ...ID, name: 'account_id' },
    name: { type: 'text' },
    providerKey: { type: 'text', name: 'set_up_for', default: SERVICE_KEY },
    identityCreatedIn: { type: 'jsonb', name: 'made_in', default: [] },
    dkimStatus: { type: 'text', name: 'dkim_status', default: 'pending' },
    spfStatus: { type: 'text', name: 'spf_status', default: 'pending' },
    mailFromStatus: { type: 'text', name: 'mail_from_status', default: 'pending' },
    dkimSelector: { type: 'text', name: 'dkim_selector', nullable: true },
    dkimPublicKey: { type: 'text', name: 'dkim_public_key', nullable: true },
    sealedDkimKey: { type: 'text', name: 'sealed_dkim_key', nullable: true },
    records: { type: 'jsonb', default: [] },
    checks: { type: 'jsonb', default: {} },
    lastDmarc: { type: 'jsonb', name: 'dmarc', nullable: true },
    nextCheckAt: { type: 'timestamptz', name: 'next_check_at', nullable: true },
    verifiedAt: { type: 'timestamptz', name: 'verified_at', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
  uniques: [{ name: 'uq_domains_account_name', columns: ['accountId', 'name'] }],
  indices: [
    {
      name: ONE_ACCOUNT_PER_VERIFIED_NAME,
      columns: ['name'],
      unique: true,
      where: `dkim_status = 'verified' AND spf_status = 'verified' AND mail_from_status = 'verified'`,
    },
    { name: 'ix_domains_account', columns: ['accountId', 'id'] },
    { name: 'ix_domains_next_check', columns: ['nextCheckAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_domains_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
