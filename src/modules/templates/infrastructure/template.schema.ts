import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { Template } from '../domain/template.js';

export const TemplateSchema = new EntitySchema<Template>({
  name: 'Template',
  target: Template,
  tableName: 'templates',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_templates' },
    accountId: { ...ID, name: 'account_id' },
    name: { type: 'text' },
    subject: { type: 'text' },
    html: { type: 'text', nullable: true },
    text: { type: 'text', nullable: true },
    sampleValues: { type: 'jsonb', name: 'sample_values', default: {} },
    version: { type: 'integer', default: 1 },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
  indices: [{ name: 'ix_templates_account', columns: ['accountId', 'id'] }],
  foreignKeys: [
    {
      name: 'fk_templates_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
