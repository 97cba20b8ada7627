import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { VerificationTokens } from '../application/ports/sender-verification.js';
import type { Sender } from '../domain/sender.js';
import { firstSender, SENDER_COLUMNS } from './sender.sql.js';

@Injectable()
export class SqlVerificationTokens extends VerificationTokens {
  constructor(private readonly database: Database) {
    super();
  }

  async findSenderAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null> {
    return firstSender(await this.database.query(FIND, [tokenHash, now]));
  }

  async redeemAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null> {
    return firstSender(await this.database.query(REDEEM, [tokenHash, now]));
  }
}

const USABLE = `token_hash = $1 AND token_expires_at > $2 AND status = 'pending'`;

const FIND = `SELECT ${SENDER_COLUMNS} FROM senders WHERE ${USABLE}`;

const REDEEM = `
  UPDATE senders SET status = 'verified', verified_at = $2, token_hash = NULL, token_expires_at = NULL, next_check_at = NULL
  WHERE ${USABLE} RETURNING ${SENDER_COLUMNS}`;
