import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { Topic } from '../domain/topic.js';

export const TopicSchema = new EntitySchema<Topic>({
  name: 'Topic',
  target: Topic,
  tableName: 'topics',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_topics' },
    accountId: { ...ID, name: 'account_id' },
    name: { type: 'text' },
    normalisedName: { type: 'text', name: 'normalised_name' },
    description: { type: 'text' },
    visibility: { type: 'text' },
    byDefault: { type: 'text', name: 'by_default' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
    deletedAt: { type: 'timestamptz', name: 'deleted_at', nullable: true },
  },
  indices: [
    { name: 'ix_topics_account', columns: ['accountId', 'id'] },
    {
      name: 'uq_topics_account_name',
      columns: ['accountId', 'normalisedName'],
      unique: true,
      where: 'deleted_at IS NULL',
    },
  ],
  foreignKeys: [
    {
      name: 'fk_topics_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
