import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { type ProviderKey, SERVICE_KEY } from '../../../shared/provider-key.js';
import { SesVerificationRequests } from '../application/ports/sender-verification.js';

@Injectable()
export class SqlSesVerificationRequests extends SesVerificationRequests {
  constructor(private readonly database: Database) {
    super();
  }

  async recordIdentity(accountId: string, senderId: string, providerKey: ProviderKey): Promise<boolean> {
    return (await this.database.query(RECORD_IDENTITY, [accountId, senderId, providerKey])).length > 0;
  }

  async isRequestedByOthers(accountId: string, normalisedEmail: string): Promise<boolean> {
    return (await this.database.query(FIND_BY_OTHERS, [accountId, normalisedEmail])).length > 0;
  }
}

const RECORD_IDENTITY = `
  UPDATE senders SET made_in = (made_in - $3::text) || to_jsonb($3::text) WHERE account_id = $1 AND id = $2 RETURNING id`;

const FIND_BY_OTHERS = `
  SELECT FROM senders
  WHERE account_id <> $1 AND normalised_email = $2 AND (set_up_for <> '${SERVICE_KEY}' OR made_in <> '[]') LIMIT 1`;
