import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { type ErasureProgress, ErasureRepository, type OpenErasure } from '../application/ports/erasure.repository.js';

@Injectable()
export class SqlErasureRepository extends ErasureRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async open(accountId: string, contactId: string, email: string, dueAt: Date): Promise<void> {
    await this.database.query(OPEN, [accountId, contactId, this.secrets.seal(email), dueAt]);
  }

  async find(accountId: string, contactId: string): Promise<OpenErasure | null> {
    const [row] = await this.database.query<{ sealed: string } & ErasureProgress>(FIND, [accountId, contactId]);
    if (!row) return null;
    const { sealed, ...progress } = row;
    return { accountId, contactId, email: this.secrets.open(sealed), progress };
  }

  listDueAcrossAccounts(now: Date): Promise<{ accountId: string; contactId: string }[]> {
    return this.database.query<{ accountId: string; contactId: string }>(LIST_DUE, [now]);
  }

  async saveProgress(
    accountId: string,
    contactId: string,
    { step, after, mustRepeat }: ErasureProgress,
  ): Promise<void> {
    await this.database.query(SAVE_PROGRESS, [accountId, contactId, step, after, mustRepeat]);
  }

  async setDue(accountId: string, contactId: string, at: Date): Promise<void> {
    await this.database.query(SET_DUE, [accountId, contactId, at]);
  }

  async close(accountId: string, contactId: string): Promise<void> {
    await this.database.query(CLOSE, [accountId, contactId]);
  }
}

const OPEN = `
  INSERT INTO contact_erasures (contact_id, account_id, sealed_email, due_at, must_repeat) VALUES ($2, $1, $3, $4, true)`;

const FIND = `
  SELECT sealed_email AS sealed, step, after, must_repeat AS "mustRepeat"
  FROM contact_erasures WHERE account_id = $1 AND contact_id = $2`;

const LIST_DUE = `
  SELECT account_id AS "accountId", contact_id AS "contactId"
  FROM contact_erasures WHERE due_at <= $1 ORDER BY due_at LIMIT 100`;

const SAVE_PROGRESS = `
  UPDATE contact_erasures SET step = $3, after = $4, must_repeat = $5 WHERE account_id = $1 AND contact_id = $2`;

const SET_DUE = `UPDATE contact_erasures SET due_at = $3 WHERE account_id = $1 AND contact_id = $2`;

const CLOSE = `DELETE FROM contact_erasures WHERE account_id = $1 AND contact_id = $2`;
