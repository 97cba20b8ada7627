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

  /** The rows first: who changes contacts asks for its turn when it has changed them. */
  async hold(accountIds: readonly string[], addresses: readonly ContactAddress[]): Promise<void> {
    if (addresses.length > 0) await this.database.query(LOCK, toValues(addresses));
    await this.turns.toSuppress(accountIds);
  }

  async findAcrossAccounts(addresses: readonly ContactAddress[]): Promise<(ContactFacts | null)[]> {
    const rows = await this.database.query<{ [Fact in keyof ContactFacts]: ContactFacts[Fact] | null }>(
      FIND,
      toValues(addresses),
    );
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

const toValues = (addresses: readonly ContactAddress[]): string[][] => [
  addresses.map(({ accountId }) => accountId),
  addresses.map(({ email }) => email),
];

/** Sorted, as those who change contacts lock them. */
const LOCK = `
  SELECT FROM contacts c JOIN unnest($1::text[], $2::text[]) AS asked (account_id, email)
    ON c.account_id = asked.account_id AND c.normalised_email = asked.email
  ORDER BY c.account_id, c.normalised_email FOR NO KEY UPDATE OF c`;

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
