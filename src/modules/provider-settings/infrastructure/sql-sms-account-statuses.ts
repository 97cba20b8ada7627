import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { type SmsAccountStatus, SmsAccountStatuses } from '../application/ports/sms-account-statuses.js';

@Injectable()
export class SqlSmsAccountStatuses extends SmsAccountStatuses {
  constructor(private readonly database: Database) {
    super();
  }

  async find(accountId: string): Promise<SmsAccountStatus | null> {
    const [status] = await this.database.query<SmsAccountStatus>(FIND, [accountId]);
    return status ?? null;
  }

  async record(accountId: string, status: SmsAccountStatus, settingsAt: Date): Promise<void> {
    const { sandbox, verifiedNumbers, originationNumbers, checkedAt } = status;
    await this.database.query(RECORD, [accountId, sandbox, verifiedNumbers, originationNumbers, checkedAt, settingsAt]);
  }

  async remove(accountId: string): Promise<void> {
    await this.database.query('DELETE FROM sms_standings WHERE account_id = $1', [accountId]);
  }
}

const FIND = `
  SELECT sandbox, verified_numbers AS "verifiedNumbers", origination_numbers AS "originationNumbers", checked_at AS "checkedAt"
  FROM sms_standings WHERE account_id = $1`;

/**
 * Locks the account, so that a concurrent change of its settings is either seen here or deletes the recorded status.
 */
const RECORD = `
  INSERT INTO sms_standings AS s (account_id, sandbox, verified_numbers, origination_numbers, checked_at)
  SELECT id, $2, $3, $4, $5 FROM accounts WHERE id = $1 AND updated_at <= $6 FOR SHARE
  ON CONFLICT (account_id) DO UPDATE SET sandbox = excluded.sandbox, verified_numbers = excluded.verified_numbers,
    origination_numbers = excluded.origination_numbers, checked_at = excluded.checked_at
  WHERE s.checked_at <= excluded.checked_at`;
