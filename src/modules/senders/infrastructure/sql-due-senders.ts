import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { currentProviderKey, currentVerificationProvider } from '../../../providers/index.js';
import { DueSenders } from '../application/ports/sender.repository.js';
import type { Sender } from '../domain/sender.js';
import { isProvenFor, SENDER_COLUMNS, toSender } from './sender.sql.js';

@Injectable()
export class SqlDueSenders extends DueSenders {
  constructor(private readonly database: Database) {
    super();
  }

  async unverifyOutdatedAcrossAccounts(): Promise<void> {
    await this.database.query(UNVERIFY_OUTDATED);
  }

  async claimAcrossAccounts(now: Date, limit: number): Promise<Sender[]> {
    return (await this.database.query<Sender>(CLAIM, [now, limit])).map(toSender);
  }
}

/** The statement serves all accounts, so it waits for no lock: the next run finds locked rows. */
const UNVERIFY_OUTDATED = `
  UPDATE senders SET status = 'pending', verified_at = NULL
  WHERE id IN (
    SELECT senders.id FROM senders JOIN accounts ON accounts.id = account_id
    WHERE status = 'verified' AND (set_up_for <> ${currentProviderKey('accounts')}
      OR NOT ${isProvenFor('link_carrier', currentVerificationProvider('accounts'))})
    FOR UPDATE OF senders SKIP LOCKED
  )`;

const CLAIM = `
  UPDATE senders
  SET next_check_at = CASE
    WHEN token_expires_at - interval '23 hours' > $1 THEN $1::timestamptz + interval '1 minute'
    WHEN token_expires_at > $1 THEN $1::timestamptz + interval '1 hour'
  END
  WHERE id IN (
    SELECT id FROM senders WHERE next_check_at <= $1 AND status = 'pending' ORDER BY next_check_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  RETURNING ${SENDER_COLUMNS}`;
