import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { EmailEvent } from '../domain/message-log.js';

export const EmailEventSchema = new EntitySchema<EmailEvent & { dedupKey: string | null }>({
  name: 'EmailEvent',
  target: EmailEvent,
  tableName: 'email_events',
  columns: {
    messageId: { ...ID, name: 'message_id', primary: true, primaryKeyConstraintName: 'pk_email_events' },
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_email_events' },
    dedupKey: { ...ID, name: 'dedup_key', nullable: true, select: false },
    type: { type: 'text' },
    occurredAt: { type: 'timestamptz', name: 'occurred_at' },
    recipient: { type: 'text', nullable: true },
    data: { type: 'jsonb', default: {} },
  },
  indices: [
    {
      name: 'uq_email_events_dedup_key',
      columns: ['messageId', 'dedupKey'],
      unique: true,
      where: 'dedup_key IS NOT NULL',
    },
  ],
});
