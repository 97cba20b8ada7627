import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { isRowFault } from '../../../platform/database/postgres-errors.js';
import { SenderIdentities, type SenderIdentity } from '../application/ports/sender-identities.js';

interface LookUp {
  accountId: string;
  normalisedEmail: string;
  domainName: string;
}

@Injectable()
export class SqlSenderIdentities extends SenderIdentities {
  private readonly lookUps = new Batcher<LookUp, SenderIdentity>((lookUps) => this.findAll(lookUps), {
    maxSize: 100,
    isRowFault,
  });

  constructor(private readonly database: Database) {
    super();
  }

  find(accountId: string, normalisedEmail: string, domainName: string): Promise<SenderIdentity> {
    return this.lookUps.add({ accountId, normalisedEmail, domainName });
  }

  private findAll(lookUps: LookUp[]): Promise<SenderIdentity[]> {
    return this.database.prepared<SenderIdentity>('find_sender_identities', FIND_ALL, [
      lookUps.map(({ accountId }) => accountId),
      lookUps.map(({ normalisedEmail }) => normalisedEmail),
      lookUps.map(({ domainName }) => domainName),
    ]);
  }
}

/** One row per look-up, in order: both joins are on a unique key. */
const FIND_ALL = `
  SELECT s.status AS "senderStatus",
    (d.dkim_status = 'verified' AND d.spf_status = 'verified' AND d.mail_from_status = 'verified') IS TRUE AS "isDomainVerified"
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (account_id, email, domain, place)
  LEFT JOIN senders s ON s.account_id = asked.account_id AND s.normalised_email = asked.email
  LEFT JOIN domains d ON d.account_id = asked.account_id AND d.name = asked.domain
  ORDER BY asked.place`;
