import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { DAY_MS } from '../../../shared/utc.js';
import { MessageActivity } from './ports/message-activity.js';

/** Late results of older messages are rare. */
const COVERED_DAYS = 7;
/** All open dashboards of this process share one query in this time. */
const FRESH_MS = 1_000;
/** An account whose dashboards have not asked for so long is not loaded any more. */
const WATCHED_MS = 60_000;

interface Loaded {
  atMs: number;
  isPending: boolean;
  accountIds: ReadonlySet<string>;
  versions: Promise<ReadonlyMap<string, string>>;
}

/** Tells open dashboards whether messages have changed, at a cost that does not depend on their number. */
@Injectable()
export class MessageVersions {
  /** When a dashboard of each account last asked. */
  private readonly watched = new Map<string, number>();
  private loaded: Loaded | null = null;

  constructor(
    private readonly activity: MessageActivity,
    private readonly clock: Clock,
  ) {}

  /** Changes when a message is accepted or gets a result, at most once a second. Empty without any messages. */
  async of(accountId: string): Promise<string> {
    const nowMs = performance.now();
    this.watched.set(accountId, nowMs);
    if (!this.isFresh(accountId, nowMs)) this.loaded = this.load(nowMs);
    const versions = await this.loaded?.versions;
    return versions?.get(accountId) ?? '';
  }

  private isFresh(accountId: string, nowMs: number): boolean {
    if (!this.loaded?.accountIds.has(accountId)) return false;
    return this.loaded.isPending || nowMs - this.loaded.atMs < FRESH_MS;
  }

  private load(nowMs: number): Loaded {
    for (const [accountId, askedAtMs] of this.watched)
      if (nowMs - askedAtMs > WATCHED_MS) this.watched.delete(accountId);
    const accountIds = new Set(this.watched.keys());
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
