import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { TimelineRepository } from '../../../src/modules/messages/index.js';
import { newId } from '../../../src/shared/ids.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { errorBody } from '../../support/errors.js';
import { SmtpSink } from '../../support/smtp-sink.js';

const HOUR_MS = 3_600_000;

interface Bucket {
  from: string;
  sent: number;
  delivered: number;
  opens: number;
  clicks: number;
}

describe('GET /api/campaigns/:id/activity', () => {
  let relay: SmtpSink;
  let fixture: CampaignFixture;
  let id: string;
  let messageIds: string[];
  let startedAt: number;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await CampaignFixture.startWithDelivery({ SMTP_URL: relay.url });
    // Far from the end of an hour: the messages are submitted in that of the start.
    fixture.service.clock.advance({ minutes: 75 - new Date().getUTCMinutes() });
    ({ id } = await fixture.createFor(3));
    await fixture.act(id, 'start').expect(200);
    startedAt = Date.parse((await fixture.untilStatus(id, 'completed')).startedAt);
    messageIds = (await fixture.recipients(id)).items.map(({ messageLogId }) => messageLogId!);
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });

  const show = async (query = '', of = id) => {
    const { body } = await fixture.account.asMember('get', `/api/campaigns/${of}/activity${query}`).expect(200);
    return body as { interval: string; buckets: Bucket[] };
  };
  const rollUp = () => fixture.service.app.get(RollUpMessages, { strict: false }).rollUp();

  /** Reports an event of a message, so many hours after the start. */
  const report = (
    message: number,
    type: 'sent' | 'delivered' | 'bounced' | 'opened' | 'clicked',
    afterHours: number,
    data = {},
  ) =>
    fixture.service.app.get(TimelineRepository, { strict: false }).record([
      {
        ...{ accountId: fixture.account.id, channel: 'email', messageId: messageIds[message]!, type, data },
        ...{ providerMessageId: null, recipient: null, key: newId(new Date()) },
        occurredAt: new Date(startedAt + afterHours * HOUR_MS),
      },
    ]);

  const counts = ({ buckets }: { buckets: Bucket[] }) =>
    buckets.flatMap(({ sent, delivered, opens, clicks }, i) =>
      sent + delivered + opens + clicks === 0 ? [] : [[i, sent, delivered, opens, clicks]],
    );

  it('shows events in the hours in which they happened, and repeated reports once', async () => {
    fixture.service.clock.advance({ hours: 30 });
    for (const message of [0, 1, 2]) await report(message, 'delivered', 1);
    await report(0, 'opened', 1);
    await report(0, 'opened', 4);
    await report(1, 'opened', 4, { automated: true });
    await report(0, 'clicked', 4);
    await report(2, 'bounced', 4, { bounceType: 'soft' });
    await report(2, 'sent', 4);
    const activity = await show();
    expect(activity.interval).toBe('hour');
    expect(activity.buckets.map(({ from }) => Date.parse(from))).toEqual(
      Array.from({ length: activity.buckets.length }, (_, i) => Math.floor(startedAt / HOUR_MS + i) * HOUR_MS),
    );
    expect([30, 31]).toContain(activity.buckets.length - 1);
    expect(counts(activity)).toEqual([
      [0, 3, 0, 0, 0],
      [1, 0, 3, 1, 0],
      [4, 0, 0, 1, 1],
    ]);
    await rollUp();
    await report(1, 'opened', 4);
    expect(counts(await show())).toEqual([
      [0, 3, 0, 0, 0],
      [1, 0, 3, 1, 0],
      [4, 0, 0, 2, 1],
    ]);
    const { stats } = await fixture.get(id);
    expect(stats).toMatchObject({ opens: { unique: 2, total: 3 }, clicks: { unique: 1, total: 1 } });
  });

  it('appears in the list with the same statistics', async () => {
    const others = [await fixture.create(), await fixture.createFor(2)];
    await fixture.act(others[1].id, 'start').expect(200);
    const started = await fixture.untilStatus(others[1].id, 'completed');
    const { body } = await fixture.account.asMember('get', '/api/campaigns').expect(200);
    expect(body.items).toEqual([started, others[0], await fixture.get(id)]);
    expect(body.items.map(({ stats }: { stats: { total: number } }) => stats.total)).toEqual([2, 0, 3]);
  });

  it('no longer counts clicks that turn out to be made by a scanner', async () => {
    await report(1, 'clicked', 1, { url: 'https://example.com/a' });
    const clicks = async () => (await show()).buckets[1]?.clicks;
    expect(await clicks()).toBe(1);
    await rollUp();
    await report(1, 'clicked', 1, { url: 'https://example.com/b' });
    expect(await clicks()).toBe(0);
    await rollUp();
    expect(await clicks()).toBe(0);
  });

  it('shows UTC days from the second day on, or when asked to', async () => {
    const byDay = await show('?interval=day');
    expect(byDay.interval).toBe('day');
    expect(byDay.buckets[0]!.from).toBe(`${new Date(startedAt).toISOString().slice(0, 10)}T00:00:00.000Z`);
    const sum = (field: 'sent' | 'delivered' | 'opens' | 'clicks') =>
      byDay.buckets.reduce((total, bucket) => total + bucket[field], 0);
    expect([sum('sent'), sum('delivered'), sum('opens'), sum('clicks')]).toEqual([3, 3, 3, 1]);
    fixture.service.clock.advance({ days: 200 });
    const later = await show();
    expect(later.interval).toBe('day');
    expect(later.buckets).toHaveLength(90);
    expect(later.buckets.slice(0, byDay.buckets.length)).toEqual(byDay.buckets);
    expect((await show('?interval=hour')).buckets).toHaveLength(48);
  });

  it('is empty before the start, and refuses an unknown interval', async () => {
    const draft = await fixture.create();
    expect(await show('', draft.id)).toEqual({ interval: 'hour', buckets: [] });
    expect(await show('?interval=day', draft.id)).toEqual({ interval: 'day', buckets: [] });
    await fixture.account.asMember('get', `/api/campaigns/${id}/activity?interval=week`).expect(400, {
      ...errorBody(400, 'interval must be one of hour, day'),
    });
  });
});
