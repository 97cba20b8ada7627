import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { DAY_MS } from '../../../shared/utc.js';
import { MessageActivity } from './ports/message-activity.js';

/** Late results of older messages are rare. */
const COVERED_DAYS = 7;
/** All calls within this time share one query. */
const FRESH_MS = 1_000;
/** An account that nobody has asked for in this time is no longer queried. */
const POLLED_WITHIN_MS = 60_000;

interface Loaded {
  atMs: number;
  isPending: boolean;
  accountIds: ReadonlySet<string>;
  versions: Promise<ReadonlyMap<string, string>>;
}

/**
 * The version of each account's message list, which open dashboards poll to learn whether it has changed. One query
 * serves all accounts and dashboards of the process.
 */
@Injectable()
export class MessageListVersion {
  /** The time when each account was last asked for. */
  private readonly polled = new Map<string, number>();
  private loaded: Loaded | null = null;

  constructor(
    private readonly activity: MessageActivity,
    private readonly clock: Clock,
  ) {}

  /** Changes when a message is accepted or gets a result, at most once a second. Empty without any messages. */
  async get(accountId: string): Promise<string> {
    const nowMs = performance.now();
    this.polled.set(accountId, nowMs);
    if (!this.isFresh(accountId, nowMs)) this.loaded = this.load(nowMs);
    const versions = await this.loaded?.versions;
    return versions?.get(accountId) ?? '';
  }

  private isFresh(accountId: string, nowMs: number): boolean {
    if (!this.loaded?.accountIds.has(accountId)) return false;
    return this.loaded.isPending || nowMs - this.loaded.atMs < FRESH_MS;
  }

  private load(nowMs: number): Loaded {
    for (const [accountId, askedAtMs] of this.polled)
      if (nowMs - askedAtMs > POLLED_WITHIN_MS) this.polled.delete(accountId);
    const accountIds = new Set(this.polled.keys());
    const since = new Date(this.clock.now().getTime() - COVERED_DAYS * DAY_MS);
    const versions = this.activity.versionsAcrossAccounts([...accountIds], since);
    const loaded = { atMs: nowMs, isPending: true, accountIds, versions };
    versions.then(
      () => (loaded.isPending = false),
      () => {
        if (this.loaded === loaded) this.loaded = null;
      },
    );
    return loaded;
  }
}
