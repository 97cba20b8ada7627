import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Schemas } from '../../api/types';
import messages from '../../texts/en/messages.json' with { type: 'json' };
import { loadEnglish } from '../../texts/load-english';
import { timelineOf } from './timeline-entries';

type Event = Schemas['EmailEventResponse'];

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 9) + seconds * 1_000).toISOString();

const event = (type: Event['type'], seconds: number, data: Event['data'] = {}): Event => ({
  id: `${type}-${seconds}`,
  messageLogId: 'm',
  recipient: null,
  type,
  occurredAt: at(seconds),
  data,
});

const timeline = (events: Event[], message: Partial<Parameters<typeof timelineOf>[0]> = {}) =>
  timelineOf({ channel: 'email', status: 'sent', createdAt: at(0), scheduledAt: null, events, ...message });
const titles = (...input: Parameters<typeof timeline>) => timeline(...input).map(({ title }) => title);

describe('The timeline of a message', () => {
  beforeAll(() => loadEnglish({ messages }));

  it('puts events of the same second into the order in which they happen', () => {
    expect(
      titles([
        event('clicked', 7),
        event('opened', 7),
        event('delivered', 7),
        event('delayed', 7, { delayType: 'General' }),
        event('sent', 7.8),
        event('delayed', 7.9, { attempt: 1, nextAttemptAt: at(7.95) }),
      ]),
    ).toEqual(['Accepted', 'Delayed', 'Sent', 'Delayed', 'Delivered', 'Opened', 'Clicked']);
  });

  it('keeps the order of time otherwise', () => {
    expect(titles([event('bounced', 90, { bounceType: 'soft' }), event('sent', 1), event('delivered', 120)])).toEqual([
      'Accepted',
      'Sent',
      'Soft bounce',
      'Delivered',
    ]);
  });

  it('shows the time since the entry before, unless the clocks disagree', () => {
    const entries = timeline([event('sent', 0.4), event('delivered', 0), event('opened', 185)]);
    expect(entries.map(({ since }) => since)).toEqual([null, '400 ms', null, '3 min 5 s']);
  });

  it('names attempts, and the next one of a message that waits for it', () => {
    const failed = event('delayed', 2, { attempt: 1, smtpResponse: '451 later', nextAttemptAt: at(62) });
    const [, delayed, next] = timeline([failed], { status: 'queued' });
    expect(delayed).toMatchObject({
      title: 'Delayed',
      notes: ['Attempt 1 of 8'],
      facts: [
        { label: 'SMTP response', value: '451 later', kind: 'code' },
        { label: 'Next attempt', value: at(62), kind: 'time' },
      ],
    });
    expect(next).toMatchObject({ kind: 'upcoming', title: 'Next: attempt 2 of 8', at: at(62), since: '1 min' });
    expect(titles([failed], { status: 'failed' })).toEqual(['Accepted', 'Delayed']);
  });

  it('says that quiet hours hold a message, and for when it is scheduled by now', () => {
    const held = event('delayed', 2, { reason: 'quiet_hours', nextAttemptAt: at(3_600) });
    const [, entry, next] = timeline([held], { status: 'queued', scheduledAt: at(7_200) });
    expect(entry).toMatchObject({
      title: 'Held until the end of quiet hours',
      notes: [expect.stringContaining('quiet hours')],
      facts: [{ label: 'Next attempt', value: at(3_600), kind: 'time' }],
    });
    expect(next).toMatchObject({ kind: 'upcoming', title: 'Scheduled', at: at(7_200) });
  });

  it('ends with the time of a scheduled message', () => {
    expect(timeline([], { status: 'queued', scheduledAt: at(3_600) })[1]).toMatchObject({
      title: 'Scheduled',
      at: at(3_600),
      since: '1 h',
    });
    expect(titles([event('canceled', 5)], { status: 'canceled', scheduledAt: at(3_600) })).toEqual([
      'Accepted',
      'Canceled',
    ]);
  });

  it('says who opened and clicked, and what probably was no person', () => {
    const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
    const [, opened, clicked] = timeline([
      event('opened', 3, { userAgent, ip: '192.0.2.1', automated: true }),
      event('clicked', 9, { userAgent: 'scanner/1.0', url: 'https://example.com/', automated: true }),
    ]);
    expect(opened).toMatchObject({
      title: 'Opened in Apple Mail on macOS, probably a prefetch',
      facts: [{ label: 'IP address', value: '192.0.2.1' }],
    });
    expect(clicked).toMatchObject({ title: 'Clicked, probably a link scanner' });
    expect(clicked?.facts.map(({ label }) => label)).toEqual(['Link', 'User agent']);
  });

  it('explains an attempt without an outcome', () => {
    const [, lost] = timeline([event('delayed', 30, { reason: 'worker_lost', attempt: 1 })]);
    expect(lost).toMatchObject({
      title: 'Attempt interrupted',
      notes: ['Attempt 1 of 8', 'The worker stopped before it recorded the outcome. The message is submitted again.'],
      facts: [],
    });
  });

  it('labels bounces, complaints and details that it does not know', () => {
    expect(titles([event('bounced', 1, { bounceType: 'hard' })])).toContain('Hard bounce');
    expect(titles([event('complained', 1, { feedbackType: 'abuse' })])).toContain('Reported as spam');
    expect(titles([event('complained', 1, { feedbackType: 'not-spam' })])).toContain('Marked as not spam');
    const [, failed] = timeline([event('failed', 1, { contactList: { name: 'news' }, empty: null })]);
    expect(failed?.facts).toEqual([{ label: 'Contact list', value: '{"name":"news"}', kind: 'text' }]);
  });

  it('does not call the response of an SMS provider SMTP', () => {
    const [, sent] = timeline([event('sent', 1, { smtpResponse: 'accepted' })], { channel: 'sms' });
    expect(sent?.facts[0]?.label).toBe('Provider response');
  });
});
