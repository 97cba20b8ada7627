import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import {
  type ContactAddress,
  type ContactDetails,
  SuppressedContacts,
  type SuppressionReason,
} from '../../suppression/index.js';
import { ContactLocks } from '../application/ports/contact-locks.js';
import { statusForReason } from '../domain/contact.js';

@Injectable()
export class SqlSuppressedContacts extends SuppressedContacts {
  constructor(
    private readonly database: Database,
    private readonly locks: ContactLocks,
  ) {
    super();
  }

  /** Locks the rows first, as writers of contacts do. */
  async lock(accountIds: readonly string[], addresses: readonly ContactAddress[]): Promise<void> {
    if (addresses.length > 0) await this.database.query(LOCK, toValues(addresses));
    await this.locks.lockSuppressions(accountIds);
  }

  async findAcrossAccounts(addresses: readonly ContactAddress[]): Promise<(ContactDetails | null)[]> {
    const rows = await this.database.query<{ [Name in keyof ContactDetails]: ContactDetails[Name] | null }>(
      FIND,
      toValues(addresses),
    );
    return rows.map(({ contactId, ...names }) => (contactId === null ? null : { contactId, ...names }));
  }

  async updateStatuses(
    contacts: readonly { accountId: string; contactId: string; reason: SuppressionReason | null }[],
    now: Date,
  ): Promise<void> {
    if (contacts.length === 0) return;
    await this.database.query(UPDATE_STATUSES, [
      contacts.map(({ accountId }) => accountId),
      contacts.map(({ contactId }) => contactId),
      contacts.map(({ reason }) => statusForReason(reason ?? undefined)),
      now,
    ]);
  }
}

const toValues = (addresses: readonly ContactAddress[]): string[][] => [
  addresses.map(({ accountId }) => accountId),
  addresses.map(({ email }) => email),
];

/** Sorted, as writers of contacts lock them. */
const LOCK = `
  SELECT FROM contacts c JOIN unnest($1::text[], $2::text[]) AS requested (account_id, email)
    ON c.account_id = requested.account_id AND c.normalised_email = requested.email
  ORDER BY c.account_id, c.normalised_email FOR NO KEY UPDATE OF c`;

/** One row per address, in order: the join is on a unique key. */
const FIND = `
  SELECT c.id AS "contactId", c.first_name AS "firstName", c.last_name AS "lastName"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS requested (account_id, email, position)
  LEFT JOIN contacts c ON c.account_id = requested.account_id AND c.normalised_email = requested.email
  ORDER BY requested.position`;

const UPDATE_STATUSES = `
  UPDATE contacts c SET status = wanted.status, updated_at = $4
  FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (account_id, id, status)
  WHERE c.account_id = wanted.account_id AND c.id = wanted.id AND c.status <> wanted.status`;
