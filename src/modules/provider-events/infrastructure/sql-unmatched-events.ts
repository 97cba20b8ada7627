import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { Providers } from '../../../providers/index.js';
import type { AccountEvent } from '../application/account-event.js';
import { type KeptEvent, UnmatchedEvents } from '../application/ports/unmatched-events.js';
import { DUE_ACCOUNTS, EXPIRE, KEEP, POSTPONE, REMOVE, TAKE_DUE } from './unmatched-event.sql.js';

const EXPIRED_AT_ONCE = 5_000;

@Injectable()
export class SqlUnmatchedEvents extends UnmatchedEvents {
  constructor(
    private readonly database: Database,
    private readonly providers: Providers,
  ) {
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
    return rows.map((row) => ({ ...row, channel: this.providers.channelOf(row.provider) }));
  }

  async remove(events: readonly AccountEvent[]): Promise<void> {
    if (events.length > 0) await this.database.query(REMOVE, keysOf(events));
  }

  async postpone(events: readonly AccountEvent[], now: Date): Promise<void> {
    if (events.length > 0) await this.database.query(POSTPONE, [...keysOf(events), now]);
  }

  async expireAcrossAccounts(now: Date): Promise<{ provider: string; count: number }[]> {
    const counts = new Map<string, number>();
    let expired: number;
    do {
      const rows = await this.database.query<{ provider: string; count: number }>(EXPIRE, [now, EXPIRED_AT_ONCE]);
      for (const { provider, count } of rows) counts.set(provider, (counts.get(provider) ?? 0) + count);
      expired = rows.reduce((sum, { count }) => sum + count, 0);
    } while (expired === EXPIRED_AT_ONCE);
    return [...counts].map(([provider, count]) => ({ provider, count }));
  }
}

const keysOf = (events: readonly AccountEvent[]) => [
  events.map(({ accountId }) => accountId),
  events.map(({ id }) => id),
];
