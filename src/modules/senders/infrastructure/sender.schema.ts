import { EntitySchema } from 'typeorm';

import { ID } from '../../../platform/database/columns.js';
import { SERVICE_KEY } from '../../../shared/provider-key.js';
import { Sender } from '../domain/sender.js';

export const SenderSchema = new EntitySchema<Sender>({
  name: 'Sender',
  target: Sender,
  tableName: 'senders',
  columns: {
    id: { ...ID, primary: true, primaryKeyConstraintName: 'pk_senders' },
    accountId: { ...ID, name: 'account_id' },
    email: { type: 'text' },
    normalisedEmail: { type: 'text', name: 'normalised_email' },
    status: { type: 'text' },
    providerKey: { type: 'text', name: 'set_up_for', default: SERVICE_KEY },
    verificationProvider: { type: 'text', name: 'link_carrier', nullable: true },
    identityCreatedIn: { type: 'jsonb', name: 'made_in', default: [] },
    tokenHash: { type: 'bytea', name: 'token_hash', nullable: true },
    tokenExpiresAt: { type: 'timestamptz', name: 'token_expires_at', nullable: true },
    nextCheckAt: { type: 'timestamptz', name: 'next_check_at', nullable: true },
    verifiedAt: { type: 'timestamptz', name: 'verified_at', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
  uniques: [
    { name: 'uq_senders_token_hash', columns: ['tokenHash'] },
    { name: 'uq_senders_account_email', columns: ['accountId', 'normalisedEmail'] },
  ],
  indices: [{ name: 'ix_senders_next_check', columns: ['nextCheckAt'] }],
  foreignKeys: [
    {
      name: 'fk_senders_account',
      target: 'Account',
      columnNames: ['accountId'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
  ],
});
