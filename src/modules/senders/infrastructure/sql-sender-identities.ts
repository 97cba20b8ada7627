import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../shared/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-faults.js';
import { SenderIdentities, type SenderQuestion } from '../application/ports/sender-identities.js';
import { presentCarrier } from '../../provider-settings/index.js';
import { isProof } from './verification-proof.sql.js';

@Injectable()
export class SqlSenderIdentities extends SenderIdentities {
  private readonly lookUps = new Batcher<SenderQuestion, boolean>((questions) => this.findAll(questions), {
    maxSize: 100,
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  isVerified(question: SenderQuestion): Promise<boolean> {
    return this.lookUps.add(question);
  }

  private async findAll(questions: SenderQuestion[]): Promise<boolean[]> {
    const rows = await this.database.prepared<{ isVerified: boolean }>('find_sender_identities', FIND_ALL, [
      questions.map(({ accountId }) => accountId),
      questions.map(({ normalisedEmail }) => normalisedEmail),
      questions.map(({ domainName }) => domainName),
      questions.map(({ carrier }) => carrier),
    ]);
    return rows.map(({ isVerified }) => isVerified);
  }
}

const VERIFIED = (domain: string) =>
  `${domain}.dkim_status = 'verified' AND ${domain}.spf_status = 'verified' AND ${domain}.mail_from_status = 'verified'`;

/** One row per question, in order: all joins are on a unique key. */
const FIND_ALL = `
  SELECT coalesce(${VERIFIED('d')}, false) OR (
      coalesce(s.status = 'verified', false)
      AND ${isProof('s.link_carrier', `coalesce(asked.carrier, ${presentCarrier('a')})`)}
      AND NOT EXISTS (
        SELECT FROM domains o WHERE o.name = asked.domain AND o.account_id <> asked.account_id AND ${VERIFIED('o')})
    ) AS "isVerified"
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
    AS asked (account_id, email, domain, carrier, place)
  LEFT JOIN accounts a ON a.id = asked.account_id
  LEFT JOIN senders s ON s.account_id = asked.account_id AND s.normalised_email = asked.email
  LEFT JOIN domains d ON d.account_id = asked.account_id AND d.name = asked.domain
  ORDER BY asked.place`;
