import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { MessageLog } from '../domain/message-log.js';

export const MessageLogSchema = new EntitySchema<MessageLog>({
  name: 'MessageLog',
  target: MessageLog,
  tableName: 'message_logs',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_message_logs' },
    accountId: { ...ID, name: 'account_id' },
    channel: { type: 'text' },
    status: { type: 'text' },
    recipient: { type: 'text' },
    normalisedRecipient: { type: 'text', name: 'normalised_recipient' },
    sender: { type: 'text' },
    senderName: { type: 'text', name: 'sender_name', nullable: true },
    replyTo: { type: 'text', name: 'reply_to', nullable: true },
    subject: { type: 'text', nullable: true },
    templateId: { ...ID, name: 'template_id', nullable: true },
    provider: { type: 'text', nullable: true },
    providerMessageId: { type: 'text', name: 'provider_message_id', nullable: true },
    apiKeyId: { ...ID, name: 'api_key_id', nullable: true },
    contactId: { ...ID, name: 'contact_id', nullable: true },
    campaignId: { ...ID, name: 'campaign_id', nullable: true },
    segments: { type: 'smallint', nullable: true },
    encoding: { type: 'text', nullable: true },
    opens: { type: 'integer', default: 0 },
    clicks: { type: 'integer', default: 0 },
    error: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    sentAt: { type: 'timestamptz', name: 'sent_at', nullable: true },
    role: { type: 'text', nullable: true },
    groupId: { ...ID, name: 'group_id', nullable: true },
    tags: { type: 'text', array: true, nullable: true },
    metadata: { type: 'jsonb', nullable: true },
    scheduledAt: { type: 'timestamptz', name: 'scheduled_at', nullable: true },
    resentFrom: { ...ID, name: 'resent_from', nullable: true },
  },
  indices: [
    { name: 'ix_message_logs_account', columns: ['accountId', 'id'] },
    { name: 'ix_message_logs_account_status', columns: ['accountId', 'status', 'id'] },
    { name: 'ix_message_logs_key', columns: ['accountId', 'apiKeyId', 'id'] },
    { name: 'ix_message_logs_key_status', columns: ['accountId', 'apiKeyId', 'status', 'id'] },
    {
      name: 'ix_message_logs_provider_message',
      columns: ['providerMessageId'],
      where: 'provider_message_id IS NOT NULL',
    },
    { name: 'ix_message_logs_sms', columns: ['accountId', 'id'], where: `channel = 'sms'` },
    {
      name: 'ix_message_logs_campaign',
      columns: ['accountId', 'campaignId', 'id'],
      where: 'campaign_id IS NOT NULL',
    },
    {
      name: 'ix_message_logs_scheduled',
      columns: ['accountId', 'id'],
      where: `scheduled_at IS NOT NULL AND status = 'queued'`,
    },
    { name: 'ix_message_logs_resent', columns: ['accountId', 'resentFrom'], where: 'resent_from IS NOT NULL' },
  ],
});
