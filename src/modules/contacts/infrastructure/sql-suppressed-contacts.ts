import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import {
  type ContactAddress,
  type ContactFacts,
  SuppressedContacts,
  type SuppressionReason,
} from '../../suppression/index.js';
import { ContactTurns } from '../application/ports/contact-turns.js';
import { statusOf } from '../domain/status-of.js';

@Injectable()
export class SqlSuppressedContacts extends SuppressedContacts {
  constructor(
    private readonly database: Database,
    private readonly turns: ContactTurns,
  ) {
    super();
  }

  hold(accountIds: readonly string[]): Promise<void> {
    return this.turns.alone(accountIds);
  }

  async findAcrossAccounts(addresses: readonly ContactAddress[]): Promise<(ContactFacts | null)[]> {
    const rows = await this.database.query<{ [Fact in keyof ContactFacts]: ContactFacts[Fact] | null }>(FIND, [
      addresses.map(({ accountId }) => accountId),
      addresses.map(({ email }) => email),
    ]);
    return rows.map(({ contactId, ...names }) => (contactId === null ? null : { contactId, ...names }));
  }

  async follow(
    contacts: readonly { accountId: string; contactId: string; reason: SuppressionReason | null }[],
    now: Date,
  ): Promise<void> {
    if (contacts.length === 0) return;
    await this.database.query(FOLLOW, [
      contacts.map(({ accountId }) => accountId),
      contacts.map(({ contactId }) => contactId),
      contacts.map(({ reason }) => statusOf(reason ?? undefined)),
      now,
    ]);
  }
}

/** One row per address, in order: the join is on a unique key. */
const FIND = `
  SELECT c.id AS "contactId", c.first_name AS "firstName", c.last_name AS "lastName"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (account_id, email, place)
  LEFT JOIN contacts c ON c.account_id = asked.account_id AND c.normalised_email = asked.email
  ORDER BY asked.place`;

const FOLLOW = `
  UPDATE contacts c SET status = given.status, updated_at = $4
  FROM unnest($1::text[], $2::text[], $3::text[]) AS given (account_id, id, status)
  WHERE c.account_id = given.account_id AND c.id = given.id AND c.status <> given.status`;
