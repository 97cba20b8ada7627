import { beforeEach, describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import type { ActivitySpan } from '../domain/activity.js';
import type { ReportedTotals, StatusCount } from '../domain/message-totals.js';
import type { DailyCaps } from './daily-caps.service.js';
import { MessageActivity, type StatusCountAt } from './ports/message-activity.js';
import type { MessageReader } from './ports/message-reader.js';
import type { ReportedResults } from './reported-results.service.js';
import { ShowActivity } from './show-activity.service.js';

class SteppedClock extends Clock {
  ms = Date.parse('2026-03-01T10:20:00Z');
  now = () => new Date(this.ms);
}

const count = (status: StatusCount['status'], messages: number): StatusCount => ({
  status,
  messages,
  opened: 0,
  opens: 0,
  clicked: 0,
  clicks: 0,
});

class FakeActivity extends MessageActivity {
  readonly spans: ActivitySpan[] = [];
  counts: StatusCountAt[] = [];
  takesMs = 0;

  constructor(private readonly clock: SteppedClock) {
    super();
  }

  count(_accountId: string, span: ActivitySpan): Promise<StatusCountAt[]> {
    this.spans.push(span);
    this.clock.ms += this.takesMs;
    return Promise.resolve(this.counts);
  }

  countCampaignEvents = () =>
    Promise.resolve([{ from: new Date('2026-03-01T10:00:00Z'), sent: 3, delivered: 2, opens: 1, clicks: 0 }]);

  versionsAcrossAccounts = () => Promise.resolve(new Map());

  countByKey = (accountId: string) =>
    Promise.resolve(accountId === 'account' ? [{ apiKeyId: 'key', used: 2 }] : [{ apiKeyId: 'test', used: 3 }]);
}

describe('ShowActivity', () => {
  let clock: SteppedClock;
  let activity: FakeActivity;
  let show: ShowActivity;
  let reported: ReportedTotals;

  beforeEach(() => {
    clock = new SteppedClock();
    activity = new FakeActivity(clock);
    const messages = { count: () => Promise.resolve([count('queued', 7), count('sent', 9)]) };
    const caps = {
      ofAccount: () => Promise.resolve({ cap: 10, used: 3 }),
      resetsAt: () => new Date('2026-03-02'),
    };
    reported = { deliveries: false, opens: false, clicks: true };
    show = new ShowActivity(
      activity,
      messages as unknown as MessageReader,
      caps as unknown as DailyCaps,
      { find: () => Promise.resolve(reported) } as unknown as ReportedResults,
      clock,
    );
  });

  it('says which results are reported: those of the settings, and those that were counted', async () => {
    activity.counts = [{ ...count('sent', 1), channel: 'email', from: new Date('2026-03-01T09:00:00Z') }];
    const none = { deliveries: false, opens: false, clicks: true, bounces: false, complaints: false };
    expect((await show.forAccount('one', '24h')).reported).toEqual(none);
    activity.counts = [
      { ...count('delivered', 1), opened: 1, opens: 2, channel: 'email', from: new Date('2026-03-01T09:00:00Z') },
    ];
    const all = { deliveries: true, opens: true, clicks: true, bounces: true, complaints: true };
    expect((await show.forAccount('two', '24h')).reported).toEqual(all);
  });

  it('puts counts into the buckets of their hours and sums them, e-mail separately', async () => {
    activity.counts = [
      { ...count('sent', 1), channel: 'email', from: new Date('2026-03-01T09:00:00Z') },
      { ...count('failed', 2), channel: 'email', from: new Date('2026-03-01T10:00:00Z') },
      { ...count('sent', 4), channel: 'sms', from: new Date('2026-03-01T10:00:00Z') },
    ];
    const { interval, buckets, total, email } = await show.forAccount('account', '24h');
    expect(interval).toBe('hour');
    expect(buckets).toHaveLength(24);
    expect(buckets.slice(-3).map(({ accepted, sent, failed }) => [accepted, sent, failed])).toEqual([
      [0, 0, 0],
      [1, 1, 0],
      [6, 4, 2],
    ]);
    expect(total).toMatchObject({ accepted: 7, sent: 5, failed: 2 });
    expect(email).toMatchObject({ accepted: 3, sent: 1, failed: 2 });
  });

  it('shows the current queue', async () => {
    expect((await show.forAccount('account', '7d')).queue).toEqual({ queued: 7, sending: 0 });
  });

  it('caches counts that took long, for each account, period and hour', async () => {
    activity.takesMs = 1_000;
    await show.forAccount('account', '24h');
    await show.forAccount('account', '24h');
    expect(activity.spans).toHaveLength(1);
    await show.forAccount('other', '24h');
    await show.forAccount('account', '7d');
    expect(activity.spans).toHaveLength(3);
  });

  it('fills the gaps between the events of a campaign', async () => {
    const starts = [9, 10, 11].map((hour) => new Date(Date.UTC(2026, 2, 1, hour)));
    expect(await show.forCampaign('account', 'campaign', { interval: 'hour', starts })).toEqual([
      { from: starts[0], sent: 0, delivered: 0, opens: 0, clicks: 0 },
      { from: starts[1], sent: 3, delivered: 2, opens: 1, clicks: 0 },
      { from: starts[2], sent: 0, delivered: 0, opens: 0, clicks: 0 },
    ]);
  });

  it('shows the usage of the account and its keys', async () => {
    expect(await show.usage('account')).toEqual({
      cap: 10,
      used: 3,
      resetsAt: new Date('2026-03-02'),
      keys: [
        { apiKeyId: 'test', used: 3 },
        { apiKeyId: 'key', used: 2 },
      ],
    });
  });
});
