import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { EmailEvent } from '../domain/message-log.js';

interface StoredEvent extends EmailEvent {
  dedupKey: string | null;
  /** Null, like its position, for events of earlier releases, which are not in the feed. */
  accountId: string | null;
  position: string | null;
}

export const EmailEventSchema = new EntitySchema<StoredEvent>({
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
    accountId: { ...ID, name: 'account_id', nullable: true, select: false },
    position: { type: 'bigint', nullable: true, select: false },
  },
  indices: [
    {
      name: 'uq_email_events_dedup_key',
      columns: ['messageId', 'dedupKey'],
      unique: true,
      where: 'dedup_key IS NOT NULL',
    },
    {
      name: 'ix_email_events_feed',
      columns: ['accountId', 'position', 'id'],
      where: 'account_id IS NOT NULL',
    },
  ],
});
