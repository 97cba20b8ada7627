import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { Form } from '../domain/form.js';

const TEXTS = { type: 'text', array: true } as const;

export const FormSchema = new EntitySchema<Form>({
  name: 'Form',
  target: Form,
  tableName: 'forms',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_forms' },
    accountId: { ...ID, name: 'account_id' },
    name: { type: 'text' },
    listIds: { ...TEXTS, name: 'list_ids' },
    topicIds: { ...TEXTS, name: 'topic_ids' },
    fields: TEXTS,
    wording: { type: 'text' },
    wordingVersion: { type: 'integer', name: 'wording_version' },
    fromEmail: { type: 'text', name: 'from_email' },
    fromName: { type: 'text', name: 'from_name', nullable: true },
    confirmationSubject: { type: 'text', name: 'confirmation_subject' },
    confirmationTemplateId: { ...ID, name: 'confirmation_template_id', nullable: true },
    welcomeTemplateId: { ...ID, name: 'welcome_template_id', nullable: true },
    redirectUrl: { type: 'text', name: 'redirect_url', nullable: true },
    confirmedUrl: { type: 'text', name: 'confirmed_url', nullable: true },
    allowedOrigins: { ...TEXTS, name: 'allowed_origins' },
    challenge: { type: 'text' },
    status: { type: 'text' },
    submitted: { type: 'integer', default: 0 },
    confirmed: { type: 'integer', default: 0 },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
  indices: [{ name: 'ix_forms_account', columns: ['accountId', 'id'] }],
  foreignKeys: [
    {
      name: 'fk_forms_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
