import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../concurrency/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { unnestParameters } from '../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { VerifiedSenders, type SenderCheck } from '../application/ports/verified-senders.js';
import { currentVerificationProvider } from '../../../providers/index.js';
import { isProvenFor } from './sender.sql.js';

@Injectable()
export class SqlVerifiedSenders extends VerifiedSenders {
  private readonly lookUps = new Batcher<SenderCheck, boolean>((checks) => this.checkAll(checks), {
    maxSize: 100,
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  isVerified(check: SenderCheck): Promise<boolean> {
    return this.lookUps.add(check);
  }

  private async checkAll(checks: SenderCheck[]): Promise<boolean[]> {
    const rows = await this.database.prepared<{ isVerified: boolean }>('find_sender_identities', CHECK_ALL, [
      checks.map(({ accountId }) => accountId),
      checks.map(({ normalisedEmail }) => normalisedEmail),
      checks.map(({ domainName }) => domainName),
      checks.map(({ provider }) => provider),
    ]);
    return rows.map(({ isVerified }) => isVerified);
  }
}

const VERIFIED = (domain: string) =>
  `${domain}.dkim_status = 'verified' AND ${domain}.spf_status = 'verified' AND ${domain}.mail_from_status = 'verified'`;

/** Returns one row per check, in order: all joins are on unique keys. */
const CHECK_ALL = `
  SELECT coalesce(${VERIFIED('d')}, false) OR (
      coalesce(s.status = 'verified', false)
      AND ${isProvenFor('s.link_carrier', `coalesce(checked.provider, ${currentVerificationProvider('a')})`)}
      AND NOT EXISTS (
        SELECT FROM domains o WHERE o.name = checked.domain AND o.account_id <> checked.account_id AND ${VERIFIED('o')})
    ) AS "isVerified"
  FROM ${unnestParameters('text', 'text', 'text', 'text')} WITH ORDINALITY
    AS checked (account_id, email, domain, provider, position)
  LEFT JOIN accounts a ON a.id = checked.account_id
  LEFT JOIN senders s ON s.account_id = checked.account_id AND s.normalised_email = checked.email
  LEFT JOIN domains d ON d.account_id = checked.account_id AND d.name = checked.domain
  ORDER BY checked.position`;
