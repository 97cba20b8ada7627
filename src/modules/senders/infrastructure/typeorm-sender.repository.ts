import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { SenderRepository, type TokenReplacement } from '../application/ports/sender.repository.js';
import { Sender } from '../domain/sender.js';
import type { ProviderKey } from '../../../shared/provider-key.js';
import { currentVerificationProvider } from '../../../providers/index.js';
import { firstSender, isProvenFor, SENDER_COLUMNS } from './sender.sql.js';

@Injectable()
export class TypeOrmSenderRepository extends SenderRepository {
  constructor(
    private readonly database: Database,
    private readonly changes: AccountChanges,
  ) {
    super();
  }

  async addIfAbsent(sender: Sender): Promise<'added' | 'exists'> {
    const result = await this.rows().createQueryBuilder().insert().values(sender).orIgnore().returning('id').execute();
    return (result.raw as unknown[]).length > 0 ? 'added' : 'exists';
  }

  list(accountId: string, page: PageRequest): Promise<Page<Sender>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  find(accountId: string, id: string): Promise<Sender | null> {
    return this.rows().findOneBy({ accountId, id });
  }

  remove(accountId: string, id: string): Promise<Sender | null> {
    return this.database.runInLane(accountId, async () => {
      const sender = firstSender(await this.database.query(REMOVE, [accountId, id]));
      if (sender) await this.changes.announce(accountId);
      return sender;
    });
  }

  async replaceToken(
    accountId: string,
    id: string,
    { hash, expiresAt, providerKey, verificationProvider, nextCheckAt }: TokenReplacement,
  ): Promise<Sender | null> {
    const values = [accountId, id, hash, expiresAt, providerKey, verificationProvider, nextCheckAt];
    return firstSender(await this.database.query(REPLACE_TOKEN, values));
  }

  async verify(accountId: string, id: string, providerKey: ProviderKey, now: Date): Promise<Sender | null> {
    await this.database.query(VERIFY, [accountId, id, providerKey, now]);
    return this.find(accountId, id);
  }

  private rows() {
    return this.database.manager.getRepository(Sender);
  }
}

const REMOVE = `DELETE FROM senders WHERE account_id = $1 AND id = $2 RETURNING ${SENDER_COLUMNS}`;

const REPLACE_TOKEN = `
  UPDATE senders SET token_hash = $3, token_expires_at = $4, set_up_for = $5, link_carrier = $6, next_check_at = $7,
    status = 'pending', verified_at = NULL
  WHERE account_id = $1 AND id = $2 AND NOT (status = 'verified' AND set_up_for = $5 AND ${isProvenFor(
    'link_carrier',
    `(SELECT ${currentVerificationProvider('a')} FROM accounts a WHERE a.id = $1)`,
  )})
  RETURNING ${SENDER_COLUMNS}`;

const VERIFY = `
  UPDATE senders
  SET status = 'verified', verified_at = $4, token_hash = NULL, token_expires_at = NULL, next_check_at = NULL, link_carrier = $3
  WHERE account_id = $1 AND id = $2 AND status = 'pending' AND set_up_for = $3`;
