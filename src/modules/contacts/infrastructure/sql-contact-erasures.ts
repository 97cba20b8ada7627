import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { containing } from '../../../platform/database/parameters.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { ContactErasures } from '../application/ports/contact-erasures.js';
import {
  CLOSE_ERASURE,
  ERASE_EVENTS,
  ERASE_MENTIONS,
  ERASE_MESSAGES,
  FIND_ERASURE,
  FIND_MESSAGES_BY_RECIPIENT,
  FIND_MESSAGES_BY_SEARCH,
  HOLD_DELIVERIES,
  HOLD_MESSAGES,
  LIST_DUE_ERASURES,
  OPEN_ERASURE,
  POSTPONE_ERASURE,
} from './erase.sql.js';

const DUE_AFTER_MS = 600_000;
/** Addresses whose spellings differ in nothing but case. */
const SEARCHABLE = /^[\x21-\x7e]+$/;

@Injectable()
export class SqlContactErasures extends ContactErasures {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async open(accountId: string, contactId: string, email: string, now: Date): Promise<void> {
    await this.database.query(OPEN_ERASURE, [accountId, contactId, this.secrets.seal(email), dueFrom(now)]);
  }

  async findEmail(accountId: string, contactId: string): Promise<string | null> {
    const [row] = await this.database.query<{ sealed: string }>(FIND_ERASURE, [accountId, contactId]);
    return row ? this.secrets.open(row.sealed) : null;
  }

  removeTraces(accountId: string, email: string): Promise<{ beingSent: number }> {
    return this.database.run(async () => {
      const found = await this.findMessages(accountId, email);
      const deliveries = await this.database.query<{ id: string; isLeased: boolean }>(HOLD_DELIVERIES, [
        accountId,
        found,
      ]);
      const beingSent = new Set(deliveries.filter(({ isLeased }) => isLeased).map(({ id }) => id));
      const ids = found.filter((id) => !beingSent.has(id));
      if (ids.length > 0)
        for (const statement of [HOLD_MESSAGES, ...ERASE_MESSAGES])
          await this.database.query(statement, [accountId, ids]);
      for (const statement of ERASE_EVENTS) await this.database.query(statement, [accountId, email]);
      for (const statement of ERASE_MENTIONS) await this.database.query(statement, [accountId, mentionOf(email)]);
      return { beingSent: beingSent.size };
    });
  }

  listDueAcrossAccounts(now: Date): Promise<{ accountId: string; contactId: string }[]> {
    return this.database.query<{ accountId: string; contactId: string }>(LIST_DUE_ERASURES, [now]);
  }

  async postpone(accountId: string, contactId: string, now: Date): Promise<void> {
    await this.database.query(POSTPONE_ERASURE, [accountId, contactId, dueFrom(now)]);
  }

  async close(accountId: string, contactId: string): Promise<void> {
    await this.database.query(CLOSE_ERASURE, [accountId, contactId]);
  }

  private async findMessages(accountId: string, email: string): Promise<string[]> {
    const isSearchable = SEARCHABLE.test(email) && !email.includes('xn--');
    const rows = isSearchable
      ? await this.database.query<{ id: string }>(FIND_MESSAGES_BY_SEARCH, [accountId, email, containing(email)])
      : await this.database.query<{ id: string }>(FIND_MESSAGES_BY_RECIPIENT, [accountId, email]);
    return rows.map(({ id }) => id);
  }
}

const dueFrom = (now: Date): Date => new Date(now.getTime() + DUE_AFTER_MS);

/** The address where neither side of it goes on as an address would: not ann@x.example in joann@x.example or ann@x.example.org. */
const mentionOf = (email: string): string =>
  `(?<![[:alnum:]._%+-])${email.replace(/[!-/:-@[-`{-~]/g, '\\$&')}(?![[:alnum:]_-]|\\.[[:alnum:]])`;
