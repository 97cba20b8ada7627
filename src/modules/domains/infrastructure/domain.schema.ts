import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { Domain } from '../domain/domain.js';

export const DomainSchema = new EntitySchema<Domain>({
  name: 'Domain',
  target: Domain,
  tableName: 'domains',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_domains' },
    accountId: { ...ID, name: 'account_id' },
    name: { type: 'text' },
    dkimStatus: { type: 'text', name: 'dkim_status', default: 'pending' },
    spfStatus: { type: 'text', name: 'spf_status', default: 'pending' },
    mailFromStatus: { type: 'text', name: 'mail_from_status', default: 'pending' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
  uniques: [{ name: 'uq_domains_account_name', columns: ['accountId', 'name'] }],
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
