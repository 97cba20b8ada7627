import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { insertMessages, type MessageRow } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';

const HOUR_MS = 3_600_000;
const NONE = { accepted: 0, sent: 0, delivered: 0, bounced: 0, complained: 0, failed: 0, opened: 0, clicked: 0 };

describe('GET /api/overview', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const insert = (rows: Partial<MessageRow>[], of = account) => insertMessages(service, of.id, rows);
  const overview = async (query = {}) => (await account.asMember('get', '/api/overview').query(query).expect(200)).body;
  const rollUp = () => service.app.get(RollUpMessages, { strict: false }).rollUp();

  it.each([
    ['24h', 'hour', 24],
    ['7d', 'day', 7],
    ['30d', 'day', 30],
  ])('shows every part of %s, also if nothing was sent', async (period, interval, parts) => {
    const body = await overview({ period });
    const queue = { queued: 0, sending: 0 };
    const reported = { delivered: false, opened: false, clicked: false, bounced: false, complained: false };
    expect(body).toEqual({ interval, buckets: expect.any(Array), total: NONE, email: NONE, reported, queue });
    expect(body.buckets).toHaveLength(parts);
    const stepMs = interval === 'hour' ? HOUR_MS : 24 * HOUR_MS;
    const last = Math.floor(service.clock.now().getTime() / stepMs) * stepMs;
    expect(body.buckets.map(({ from }: { from: string }) => Date.parse(from))).toEqual(
      Array.from({ length: parts }, (_, i) => last - (parts - 1 - i) * stepMs),
    );
    expect(body.buckets[0]).toEqual({ from: expect.any(String), ...NONE });
  });

  it('counts a message at the time of its acceptance, before and after the rollup', async () => {
    const now = service.clock.now();
    const hoursBefore = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
    await insert([
      { status: 'delivered', opens: 3, clicks: 1, createdAt: now },
      { status: 'bounced', createdAt: now },
      { status: 'queued', createdAt: now },
      { status: 'complained', createdAt: hoursBefore(2) },
      { status: 'failed', createdAt: hoursBefore(30) },
      { status: 'sent', createdAt: hoursBefore(24 * 10) },
    ]);
    await insert([{ status: 'delivered' }], await service.createAccount());
    const seen = async () => {
      const [day, week, month] = [
        await overview(),
        await overview({ period: '7d' }),
        await overview({ period: '30d' }),
      ];
      expect(day.total).toEqual({
        ...NONE,
        accepted: 4,
        sent: 3,
        delivered: 2,
        bounced: 1,
        complained: 1,
        opened: 1,
        clicked: 1,
      });
      expect(partAt(day, now)).toMatchObject({ accepted: 3, delivered: 1, bounced: 1 });
      expect(partAt(day, hoursBefore(2))).toMatchObject({ accepted: 1, complained: 1 });
      expect(week.total).toEqual({ ...day.total, accepted: 5, failed: 1 });
      expect(month.total).toEqual({ ...week.total, accepted: 6, sent: 4 });
      expect(partAt(month, hoursBefore(24 * 10))).toMatchObject({ accepted: 1, sent: 1 });
    };
    await seen();
    await rollUp();
    await seen();
  });

  it.each(['24h', '7d'])('includes SMS in the totals of %s, but not in those of e-mail', async (period) => {
    await insert([
      { status: 'sent' },
      { status: 'bounced' },
      { channel: 'sms', recipient: '+14155550100', status: 'bounced' },
      { channel: 'sms', recipient: '+14155550101', status: 'delivered' },
    ]);
    const seen = async () => {
      const { total, email } = await overview({ period });
      expect(total).toEqual({ ...NONE, accepted: 4, sent: 4, delivered: 1, bounced: 2 });
      expect(email).toEqual({ ...NONE, accepted: 2, sent: 2, bounced: 1 });
    };
    await seen();
    await rollUp();
    await seen();
  });

  it('says whether bounces and complaints of e-mails are reported, by the settings or by what was counted', async () => {
    const change = (settings: object) => account.asAdmin('patch', '/api/settings').send(settings).expect(200);
    const sms = { region: 'us-east-1', originationNumber: '+12065550100', eventSigningKey: 'k'.repeat(20) };
    await change({ tracking: 'off', sms: { ...sms, enabled: true } });
    await insert([{ status: 'sent' }, { status: 'bounced' }]);
    expect((await overview()).reported).toMatchObject({ delivered: true, bounced: false, complained: false });
    await change({ smtp: { host: 'relay.example', port: 587, secure: false, eventSigningKey: 'k'.repeat(20) } });
    expect((await overview()).reported).toMatchObject({ bounced: true, complained: true });
    await change({ smtp: { eventSigningKey: null } });
    expect((await overview()).reported).toMatchObject({ bounced: false, complained: false });
    await insert([{ status: 'complained', createdAt: new Date(service.clock.now().getTime() - 24 * HOUR_MS) }]);
    expect((await overview({ period: '7d' })).reported).toMatchObject({ bounced: true, complained: true });
  });

  it('shows waiting messages and those being sent, however old', async () => {
    await insert([
      { status: 'queued', createdAt: new Date(service.clock.now().getTime() - 40 * 24 * HOUR_MS) },
      { status: 'queued' },
      { status: 'sending' },
      { status: 'sent' },
    ]);
    expect((await overview()).queue).toEqual({ queued: 2, sending: 1 });
  });

  it('refuses other periods', async () => {
    await account
      .asMember('get', '/api/overview')
      .query({ period: '1y' })
      .expect(400, badRequest('period must be one of the following values: 24h, 7d, 30d'));
  });
});

interface Body {
  buckets: { from: string }[];
}

/** The last part that starts at or before the time. */
const partAt = ({ buckets }: Body, time: Date) => buckets.findLast(({ from }) => new Date(from) <= time);
