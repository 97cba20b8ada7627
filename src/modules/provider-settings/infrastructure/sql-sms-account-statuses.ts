import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { SmsAccountStatuses } from '../application/ports/sms-account-statuses.js';
import type { SmsAccountStatus } from '../domain/sms-account-status.js';

@Injectable()
export class SqlSmsAccountStatuses extends SmsAccountStatuses {
  constructor(private readonly database: Database) {
    super();
  }

  async find(accountId: string): Promise<SmsAccountStatus | null> {
    const [standing] = await this.database.query<SmsAccountStatus>(FIND, [accountId]);
    return standing ?? null;
  }

  async record(accountId: string, standing: SmsAccountStatus, settingsAt: Date): Promise<void> {
    const { sandbox, verifiedNumbers, originationNumbers, checkedAt } = standing;
    await this.database.query(RECORD, [accountId, sandbox, verifiedNumbers, originationNumbers, checkedAt, settingsAt]);
  }

  async forget(accountId: string): Promise<void> {
    await this.database.query('DELETE FROM sms_standings WHERE account_id = $1', [accountId]);
  }
}

const FIND = `
  SELECT sandbox, verified_numbers AS "verifiedNumbers", origination_numbers AS "originationNumbers", checked_at AS "checkedAt"
  FROM sms_standings WHERE account_id = $1`;

/** The account is locked, so that a change of its settings is either seen or forgets what is recorded here. */
const RECORD = `
  INSERT INTO sms_standings AS s (account_id, sandbox, verified_numbers, origination_numbers, checked_at)
  SELECT id, $2, $3, $4, $5 FROM accounts WHERE id = $1 AND updated_at <= $6 FOR SHARE
  ON CONFLICT (account_id) DO UPDATE SET sandbox = excluded.sandbox, verified_numbers = excluded.verified_numbers,
    origination_numbers = excluded.origination_numbers, checked_at = excluded.checked_at
  WHERE s.checked_at <= excluded.checked_at`;
