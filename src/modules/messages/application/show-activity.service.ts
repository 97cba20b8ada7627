import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import type { TtlCache } from '../../../shared/ttl-cache.js';
import {
  type ActivityBucket,
  type ActivityInterval,
  type ActivityPeriod,
  type Outcome,
  outcomeOf,
  spanOf,
} from '../domain/activity.js';
import { DailyCaps } from './daily-caps.service.js';
import { keptAnswers } from './kept-answers.js';
import { MessageActivity, type StatusCountAt } from './ports/message-activity.js';
import { MessageReader } from './ports/message-reader.js';

export interface Activity {
  interval: ActivityInterval;
  /** The oldest first, without gaps. */
  buckets: ActivityBucket[];
  total: Outcome;
  /** Of the e-mails among them. */
  email: Outcome;
  /** What waits or is being delivered now, however old. */
  queue: { queued: number; sending: number };
}

export interface Usage {
  cap: number;
  used: number;
  resetsAt: Date;
  keys: { apiKeyId: string; used: number }[];
}

const ALL = {
  apiKeyId: null,
  channel: null,
  statuses: null,
  search: null,
  from: null,
  before: null,
  subject: null,
  campaignId: null,
} as const;

/** How an account's sending goes, for those who look at it. */
@Injectable()
export class ShowActivity {
  private readonly counts: TtlCache<StatusCountAt[]>;

  constructor(
    private readonly activity: MessageActivity,
    private readonly messages: MessageReader,
    private readonly caps: DailyCaps,
    private readonly clock: Clock,
  ) {
    this.counts = keptAnswers(clock);
  }

  async of(accountId: string, period: ActivityPeriod): Promise<Activity> {
    const span = spanOf(period, this.clock.now());
    // Sequential, because a read may use one connection at a time.
    const counts = await this.counts.get(`${accountId} ${period} ${span.starts.at(-1)?.getTime()}`, () =>
      this.activity.count(accountId, span),
    );
    const now = await this.messages.count(accountId, ALL);
    const waiting = (wanted: string) => now.find(({ status }) => status === wanted)?.messages ?? 0;
    return {
      interval: span.interval,
      buckets: span.starts.map((from) => ({
        from,
        ...outcomeOf(counts.filter((count) => count.from.getTime() === from.getTime())),
      })),
      total: outcomeOf(counts),
      email: outcomeOf(counts.filter(({ channel }) => channel === 'email')),
      queue: { queued: waiting('queued'), sending: waiting('sending') },
    };
  }

  /** What is used of the day's caps. */
  async usage(accountId: string): Promise<Usage> {
    const account = await this.caps.ofAccount(accountId);
    const keys = await this.activity.countByKey(accountId, this.clock.now());
    return { ...account, resetsAt: this.caps.resetsAt(), keys };
  }
}
