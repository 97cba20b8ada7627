import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { isRowFault } from '../../../platform/database/postgres-errors.js';
import { SenderIdentities, type SenderIdentity } from '../application/ports/sender-identities.js';
import { Domain } from '../domain/domain.js';
import type { SenderStatus } from '../domain/sender.js';

interface LookUp {
  accountId: string;
  normalisedEmail: string;
  domainName: string;
}

interface Row extends Omit<Domain, 'id' | 'isVerified'> {
  senderStatus: SenderStatus | null;
  /** Null where the account has no such domain. */
  id: string | null;
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

  private async findAll(lookUps: LookUp[]): Promise<SenderIdentity[]> {
    const rows = await this.database.prepared<Row>('find_sender_identities', FIND_ALL, [
      lookUps.map(({ accountId }) => accountId),
      lookUps.map(({ normalisedEmail }) => normalisedEmail),
      lookUps.map(({ domainName }) => domainName),
    ]);
    return rows.map(({ senderStatus, ...domain }) => ({
      senderStatus,
      domain: domain.id === null ? null : Object.assign(new Domain(), domain),
    }));
  }
}

/** One row per look-up, in order: both joins are on a unique key. */
const FIND_ALL = `
  SELECT s.status AS "senderStatus", d.id, d.account_id AS "accountId", d.name, d.dkim_status AS "dkimStatus",
    d.spf_status AS "spfStatus", d.mail_from_status AS "mailFromStatus", d.created_at AS "createdAt"
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (account_id, email, domain, place)
  LEFT JOIN senders s ON s.account_id = asked.account_id AND s.normalised_email = asked.email
  LEFT JOIN domains d ON d.account_id = asked.account_id AND d.name = asked.domain
  ORDER BY asked.place`;
