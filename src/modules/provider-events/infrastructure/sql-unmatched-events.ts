import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { AccountEvent } from '../application/account-event.js';
import { type KeptEvent, UnmatchedEvents } from '../application/ports/unmatched-events.js';
import { channelOf } from '../domain/provider-event.js';
import { DUE_ACCOUNTS, EXPIRE, KEEP, POSTPONE, REMOVE, TAKE_DUE } from './unmatched-event.sql.js';

@Injectable()
export class SqlUnmatchedEvents extends UnmatchedEvents {
  constructor(private readonly database: Database) {
    super();
  }

  async keep(events: readonly KeptEvent[], now: Date): Promise<void> {
    if (events.length > 0) await this.database.query(KEEP, [JSON.stringify(events), now]);
  }

  async listDueAcrossAccounts(now: Date): Promise<string[]> {
    const rows = await this.database.query<{ accountId: string }>(DUE_ACCOUNTS, [now]);
    return rows.map(({ accountId }) => accountId);
  }

  async takeDue(accountIds: readonly string[], now: Date, limitPerAccount: number): Promise<AccountEvent[]> {
    const values = [now, accountIds, limitPerAccount];
    const rows = await this.database.query<Omit<AccountEvent, 'channel'>>(TAKE_DUE, values);
    return rows.map((row) => ({ ...row, channel: channelOf(row.provider) }));
  }

  async remove(events: readonly AccountEvent[]): Promise<void> {
    if (events.length > 0) await this.database.query(REMOVE, keysOf(events));
  }

  async postpone(events: readonly AccountEvent[], now: Date): Promise<void> {
    if (events.length > 0) await this.database.query(POSTPONE, [...keysOf(events), now]);
  }

  expireAcrossAccounts(now: Date): Promise<{ provider: string; count: number }[]> {
    return this.database.query(EXPIRE, [now]);
  }
}

const keysOf = (events: readonly AccountEvent[]) => [
  events.map(({ accountId }) => accountId),
  events.map(({ id }) => id),
];
