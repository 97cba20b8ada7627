import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { ContactList } from '../domain/contact-list.js';

export const ContactListSchema = new EntitySchema<ContactList>({
  name: 'ContactList',
  target: ContactList,
  tableName: 'lists',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_lists' },
    accountId: { ...ID, name: 'account_id' },
    name: { type: 'text' },
    normalisedName: { type: 'text', name: 'normalised_name' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
  uniques: [{ name: 'uq_lists_account_name', columns: ['accountId', 'normalisedName'] }],
  indices: [{ name: 'ix_lists_account', columns: ['accountId', 'id'] }],
  foreignKeys: [
    {
      name: 'fk_lists_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
