import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { SenderRepository } from '../application/ports/sender.repository.js';
import { Sender } from '../domain/sender.js';
import { firstSender, SENDER_COLUMNS } from './sender-row.js';

@Injectable()
export class TypeOrmSenderRepository extends SenderRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async addIfAbsent(sender: Sender): Promise<'added' | 'stood'> {
    const result = await this.rows().createQueryBuilder().insert().values(sender).orIgnore().returning('id').execute();
    return (result.raw as unknown[]).length > 0 ? 'added' : 'stood';
  }

  list(accountId: string, page: PageRequest): Promise<Page<Sender>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  find(accountId: string, id: string): Promise<Sender | null> {
    return this.rows().findOneBy({ accountId, id });
  }

  async remove(accountId: string, id: string): Promise<Sender | null> {
    return firstSender(
      await this.database.query(`DELETE FROM senders WHERE account_id = $1 AND id = $2 RETURNING ${SENDER_COLUMNS}`, [
        accountId,
        id,
      ]),
    );
  }

  async replaceToken(
    accountId: string,
    id: string,
    { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
    unlessExpiresAfter: Date,
  ): Promise<Sender | null> {
    return firstSender(await this.database.query(REPLACE_TOKEN, [accountId, id, hash, expiresAt, unlessExpiresAfter]));
  }

  async setTokenExpiry(accountId: string, id: string, tokenHash: Buffer, tokenExpiresAt: Date): Promise<void> {
    await this.rows().update({ accountId, id, tokenHash }, { tokenExpiresAt });
  }

  private rows() {
    return this.database.manager.getRepository(Sender);
  }
}

const REPLACE_TOKEN = `
  UPDATE senders SET token_hash = $3, token_expires_at = $4
  WHERE account_id = $1 AND id = $2 AND status = 'pending' AND (token_expires_at IS NULL OR token_expires_at <= $5)
  RETURNING ${SENDER_COLUMNS}`;
