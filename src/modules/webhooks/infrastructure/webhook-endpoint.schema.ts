import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { WebhookEndpoint } from '../domain/webhook-endpoint.js';

export const WebhookEndpointSchema = new EntitySchema<WebhookEndpoint>({
  name: 'WebhookEndpoint',
  target: WebhookEndpoint,
  tableName: 'webhook_endpoints',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_webhook_endpoints' },
    accountId: { ...ID, name: 'account_id' },
    url: { type: 'text' },
    events: { type: 'text', array: true },
    description: { type: 'text', nullable: true },
    testEvents: { type: 'boolean', name: 'test_events', default: false },
    sealedSecret: { type: 'text', name: 'sealed_secret' },
    sealedPreviousSecret: { type: 'text', name: 'sealed_previous_secret', nullable: true },
    previousSecretUntil: { type: 'timestamptz', name: 'previous_secret_until', nullable: true },
    enabled: { type: 'boolean' },
    disabledReason: { type: 'text', name: 'disabled_reason', nullable: true },
    disabledAt: { type: 'timestamptz', name: 'disabled_at', nullable: true },
    failingSince: { type: 'timestamptz', name: 'failing_since', nullable: true },
    undeliveredSince: { type: 'timestamptz', name: 'undelivered_since', nullable: true },
    lastUndeliveredAt: { type: 'timestamptz', name: 'last_undelivered_at', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
    // TypeORM finds and counts only rows where it is null.
    deletedAt: { type: 'timestamptz', name: 'deleted_at', nullable: true, deleteDate: true },
  },
  indices: [{ name: 'ix_webhook_endpoints_account', columns: ['accountId', 'id'] }],
  foreignKeys: [
    {
      name: 'fk_webhook_endpoints_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
