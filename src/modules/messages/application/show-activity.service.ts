import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import type { TtlCache } from '../../../concurrency/ttl-cache.js';
import {
  type ActivityBucket,
  type ActivityInterval,
  type ActivityPeriod,
  type ActivitySpan,
  type CampaignEventBucket,
  type Outcome,
  outcomeOf,
  spanOf,
} from '../domain/activity.js';
import type { AggregateFilter } from '../domain/message-filter.js';
import type { MessageStatus } from '../domain/message-log.js';
import type { ReportedTotals } from '../domain/message-totals.js';
import { DailyCaps } from './daily-caps.service.js';
import { MessageActivity, type StatusCountAt } from './ports/message-activity.js';
import { MessageReader } from './ports/message-reader.js';
import { ReportedResults } from './reported-results.service.js';
import { slowQueryCache } from './slow-query-cache.js';

export interface Activity {
  interval: ActivityInterval;
  /** Oldest first, without gaps. */
  buckets: ActivityBucket[];
  total: Outcome;
  /** Emails only. */
  email: Outcome;
  /** Which results are reported: a zero of the others means nothing. Bounces and complaints: of e-mails. */
  reported: ReportedTotals & { bounces: boolean; complaints: boolean };
  /** Messages waiting or being delivered now, however old. */
  queue: { queued: number; sending: number };
}

export interface Usage {
  cap: number;
  used: number;
  resetsAt: Date;
  keys: { apiKeyId: string; used: number }[];
}

const ALL: AggregateFilter = {
  apiKeyId: null,
  channel: null,
  tag: null,
  topicId: null,
  scheduled: false,
  statuses: null,
  search: null,
  from: null,
  before: null,
  subject: null,
  campaignId: null,
};

const NO_EVENTS = { sent: 0, delivered: 0, opens: 0, clicks: 0 };

/** The activity and usage that the dashboard shows. */
@Injectable()
export class ShowActivity {
  private readonly counts: TtlCache<StatusCountAt[]>;

  constructor(
    private readonly activity: MessageActivity,
    private readonly messages: MessageReader,
    private readonly caps: DailyCaps,
    private readonly reportedResults: ReportedResults,
    private readonly clock: Clock,
  ) {
    this.counts = slowQueryCache(clock);
  }

  async forAccount(accountId: string, period: ActivityPeriod): Promise<Activity> {
    const span = spanOf(period, this.clock.now());
    // Sequential: a request uses one connection at a time.
    const counts = await this.counts.get(`${accountId} ${period} ${span.starts.at(-1)?.getTime()}`, () =>
      this.activity.count(accountId, span),
    );
    const current = await this.messages.count(accountId, ALL);
    const inStatus = (wanted: MessageStatus) => current.find(({ status }) => status === wanted)?.messages ?? 0;
    const total = outcomeOf(counts);
    const email = outcomeOf(counts.filter(({ channel }) => channel === 'email'));
    const reported = await this.reportedResults.find(accountId, null);
    const reportsOfEmail = await this.reportedResults.find(accountId, 'email');
    // Counted results were reported, whatever the present settings say. But a relay refuses in its reply, too.
    const bounces = reportsOfEmail.deliveries || email.delivered > 0;
    return {
      interval: span.interval,
      buckets: span.starts.map((from) => ({
        from,
        ...outcomeOf(counts.filter((count) => count.from.getTime() === from.getTime())),
      })),
      total,
      email,
      reported: {
        deliveries: reported.deliveries || total.delivered > total.complained,
        opens: reported.opens || total.opened > 0,
        clicks: reported.clicks || total.clicked > 0,
        bounces,
        complaints: bounces,
      },
      queue: { queued: inStatus('queued'), sending: inStatus('sending') },
    };
  }

  /** The events of a campaign by the time at which they happened: one bucket for each part of the span. */
  async forCampaign(accountId: string, campaignId: string, span: ActivitySpan): Promise<CampaignEventBucket[]> {
    const counted = await this.activity.countCampaignEvents(accountId, campaignId, span);
    const byStart = new Map(counted.map((bucket) => [bucket.from.getTime(), bucket]));
    return span.starts.map((from) => byStart.get(from.getTime()) ?? { from, ...NO_EVENTS });
  }

  /** Today's usage of the daily caps. Keys include test keys, which do not count towards the account's cap. */
  async usage(accountId: string): Promise<Usage> {
    const account = await this.caps.ofAccount(accountId);
    const now = this.clock.now();
    const live = await this.activity.countByKey(accountId, now);
    const test = await this.activity.countByKey(testAccountIdOf(accountId), now);
    const keys = [...live, ...test].sort((a, b) => b.used - a.used);
    return { ...account, resetsAt: this.caps.resetsAt(), keys };
  }
}
