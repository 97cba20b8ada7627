import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { ErasureRepository } from '../application/ports/erasure.repository.js';

const REPEAT_AFTER_MS = 600_000;

@Injectable()
export class SqlErasureRepository extends ErasureRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async open(accountId: string, contactId: string, email: string, now: Date): Promise<void> {
    await this.database.query(OPEN, [accountId, contactId, this.secrets.seal(email), dueAfter(now)]);
  }

  async findEmail(accountId: string, contactId: string): Promise<string | null> {
    const [row] = await this.database.query<{ sealed: string }>(FIND, [accountId, contactId]);
    return row ? this.secrets.open(row.sealed) : null;
  }

  listDueAcrossAccounts(now: Date): Promise<{ accountId: string; contactId: string }[]> {
    return this.database.query<{ accountId: string; contactId: string }>(LIST_DUE, [now]);
  }

  async postpone(accountId: string, contactId: string, now: Date): Promise<void> {
    await this.database.query(POSTPONE, [accountId, contactId, dueAfter(now)]);
  }

  async close(accountId: string, contactId: string): Promise<void> {
    await this.database.query(CLOSE, [accountId, contactId]);
  }
}

const dueAfter = (now: Date): Date => new Date(now.getTime() + REPEAT_AFTER_MS);

const OPEN = `INSERT INTO contact_erasures (contact_id, account_id, sealed_email, due_at) VALUES ($2, $1, $3, $4)`;

const FIND = `SELECT sealed_email AS sealed FROM contact_erasures WHERE account_id = $1 AND contact_id = $2`;

const LIST_DUE = `
  SELECT account_id AS "accountId", contact_id AS "contactId"
  FROM contact_erasures WHERE due_at <= $1 ORDER BY due_at LIMIT 100`;

const POSTPONE = `UPDATE contact_erasures SET due_at = $3 WHERE account_id = $1 AND contact_id = $2`;

const CLOSE = `DELETE FROM contact_erasures WHERE account_id = $1 AND contact_id = $2`;
