import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MESSAGE_STATUSES, type MessageStatus } from '../../../src/modules/messages/domain/message-log.js';
import type { TestAccount } from '../../support/account.js';
import { AGGREGATE, aggregateQueries } from '../../support/aggregate-queries.js';
import { badRequest, errorBody } from '../../support/errors.js';
import type { MessageRow } from '../../support/message-rows.js';
import { totalsOf, variety } from '../../support/message-totals.js';
import { TestService } from '../../support/service.js';

describe('GET /api/messages/aggregate', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const { user, withKey, insert, rollUp, totals, total } = aggregateQueries(
    () => service,
    () => account,
  );

  it('shows every status, also if nothing was sent', async () => {
    const { headers } = await user()().expect(200, {
      total: 0,
      status: {
        ...{ queued: 0, sending: 0, sent: 0, delivered: 0, bounced: 0 },
        ...{ complained: 0, failed: 0, suppressed: 0, canceled: 0 },
      },
      deliveries: { total: 0, reported: false },
      opens: { unique: 0, total: 0, reported: false },
      clicks: { unique: 0, total: 0, reported: false },
    });
    expect(headers['cache-control']).toBe('no-store');
    for (const query of [
      { search: 'ada' },
      { search: 'a' },
      { subject: 'x' },
      { campaignId: 'x' },
      { from: '2026-01-01' },
    ])
      expect(await totals(query)).toEqual(totalsOf([]));
  });

  it('counts by status, and opens and clicks both per message and in total', async () => {
    await insert([
      { status: 'queued' },
      { status: 'sending' },
      { status: 'sending' },
      { status: 'sent' },
      { status: 'delivered', opens: 3, clicks: 2 },
      { status: 'delivered', opens: 1 },
      { status: 'delivered' },
      { status: 'complained', opens: 2, clicks: 5 },
    ]);
    const expected = {
      total: 8,
      status: {
        ...{ queued: 1, sending: 2, sent: 1, delivered: 3, bounced: 0 },
        ...{ complained: 1, failed: 0, suppressed: 0, canceled: 0 },
      },
      deliveries: { total: 4, reported: true },
      opens: { unique: 3, total: 6, reported: true },
      clicks: { unique: 2, total: 7, reported: true },
    };
    for (const query of [{}, { search: 'hello' }, { search: 'o' }, { subject: 'Hello' }, { to: '2100-01-01' }]) {
      expect(await totals(query)).toEqual(expected);
    }
    await rollUp();
    expect(await totals()).toEqual(expected);
  });

  describe('of results that are reported', () => {
    const reported = async (query = {}) => {
      const { deliveries, opens, clicks } = (await user()().query(query).expect(200)).body;
      return [deliveries.reported, opens.reported, clicks.reported];
    };
    const change = (settings: object) => account.asAdmin('patch', '/api/settings').send(settings).expect(200);
    const relay = { host: 'relay.example', port: 587, secure: false };

    it.each([
      ['off', null, [false, false, false]],
      ['native', null, [false, true, true]],
      ['provider', null, [false, false, false]],
      ['off', 'k'.repeat(20), [true, false, false]],
      ['native', 'k'.repeat(20), [true, true, true]],
      ['provider', 'k'.repeat(20), [true, true, true]],
    ])('says so, by relay: tracking %s, signing key %j', async (tracking, eventSigningKey, expected) => {
      await change({ tracking, smtp: { ...relay, eventSigningKey } });
      expect(await reported()).toEqual(expected);
      expect(await reported({ channel: 'sms' })).toEqual([false, false, false]);
    });

    it.each([
      [{ configurationSet: 'news', topicArn: 'arn:aws:sns:eu-central-1:111122223333:mail' }, [true, true, true]],
      [{ configurationSet: null, topicArn: null }, [false, false, false]],
    ])('says so, by SES: %j', async (ses, expected) => {
      await change({ emailProvider: 'ses', tracking: 'provider', ses: { region: 'eu-central-1', ...ses } });
      expect(await reported()).toEqual(expected);
    });

    const twilio = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'k'.repeat(32), from: '+12065550100' };
    const sns = { region: 'us-east-1', originationNumber: '+12065550100', eventSigningKey: 'k'.repeat(20) };
    it.each([
      [{ provider: 'twilio', enabled: true, twilio }, true],
      [{ provider: 'twilio', enabled: false, twilio }, false],
      [{ provider: 'twilio', enabled: true, twilio: { ...twilio, from: null } }, false],
      [{ ...sns, enabled: true }, true],
      [{ ...sns, enabled: false }, false],
      [{ ...sns, enabled: true, originationNumber: null }, false],
    ])('says so, by the provider of SMS: %j', async (sms, expected) => {
      await change({ tracking: 'off', sms });
      expect(await reported({ channel: 'sms' })).toEqual([expected, false, false]);
      expect(await reported()).toEqual([expected, false, false]);
    });

    it('says so of test messages, which are simulated', async () => {
      expect(await reported({ test: 'true' })).toEqual([true, true, true]);
    });

    it('says so of what was counted, whatever the settings are now', async () => {
      await insert([{ status: 'delivered', opens: 1 }]);
      expect(await reported()).toEqual([true, true, false]);
    });
  });

  it('counts one or several statuses, with their opens and clicks', async () => {
    const rows = variety();
    await insert(rows);
    const chosen: MessageStatus[][] = [
      ...MESSAGE_STATUSES.map((status) => [status]),
      ['queued', 'sending'],
      ['delivered', 'bounced', 'failed'],
      [...MESSAGE_STATUSES],
    ];
    for (const statuses of chosen) {
      const expected = totalsOf(rows.filter(({ status }) => statuses.includes(status!)));
      expect(await totals({ status: statuses })).toEqual(expected);
      expect(await totals({ status: statuses.join(','), search: 'ada' })).toEqual(expected);
    }
  });

  it('follows the changes of a message, before and after the rollup', async () => {
    const [id] = (await insert([{ status: 'queued', campaignId: 'spring' }, { status: 'failed' }])) as [string];
    const become = async (change: string, expected: Partial<MessageRow>) => {
      await service.query(`UPDATE message_logs SET ${change} WHERE id = $1`, [id]);
      const rows = [{ status: 'failed' as const }, expected];
      expect(await totals()).toEqual(totalsOf(rows));
      expect(await totals({ search: 'ada' })).toEqual(totalsOf(rows));
      expect(await totals({ campaignId: 'spring' })).toEqual(totalsOf([expected]));
    };
    await become(`error = 'later'`, { status: 'queued' });
    await become(`status = 'sent'`, { status: 'sent' });
    await rollUp();
    await become(`status = 'delivered', opens = 1`, { status: 'delivered', opens: 1 });
    await become('opens = 4, clicks = 1', { status: 'delivered', opens: 4, clicks: 1 });
    await rollUp();
    await become(`status = 'bounced', clicks = 2`, { status: 'bounced', opens: 4, clicks: 2 });
    await rollUp();
    await become(`error = 'late'`, { status: 'bounced', opens: 4, clicks: 2 });
  });

  it('attributes opens and clicks to the status shown for the message', async () => {
    await insert([
      { status: 'sending', opens: 2, clicks: 1 },
      { status: 'queued', opens: 1 },
    ]);
    expect(await totals({ status: 'sending' })).toEqual(totalsOf([{ status: 'sending', opens: 2, clicks: 1 }]));
    expect(await totals({ status: 'queued' })).toEqual(totalsOf([{ status: 'queued', opens: 1 }]));
  });

  it('counts the messages of a key for the key, and those of the account for a session', async () => {
    const [key, otherKey] = [await account.createKey(), await account.createKey()];
    const stranger = await service.createAccount();
    await insert([{ apiKeyId: key.id }, ...variety({ apiKeyId: otherKey.id }), {}, {}]);
    await insert([{}, { apiKeyId: key.id }], stranger);
    for (const work of [() => Promise.resolve(), rollUp]) {
      await work();
      for (const query of [
        {},
        { search: 'ada' },
        { search: 'a' },
        { subject: 'Hello' },
        { from: '2026-01-01T10:00:00Z' },
      ]) {
        expect(await totals(query, withKey(key))).toEqual(totalsOf([{ status: 'sent' }]));
        expect(await totals(query, withKey(otherKey))).toEqual(totalsOf(variety()));
        expect(await total(query)).toBe(1 + variety().length + 2);
        expect(await total(query, user(stranger))).toBe(2);
      }
    }
  });

  it('requires the scope read_events or a session', async () => {
    const key = await account.createKey({ scopes: ['send', 'contacts:read', 'contacts:write', 'sms:send'] });
    await withKey(key)().expect(403, errorBody(403, 'API key is missing required scope: read_events'));
    await account.asAdmin('get', AGGREGATE).expect(200);
    await service.request('get', AGGREGATE).expect(401, errorBody(401, 'Missing API key'));
    await withKey({ secret: 'sk_unknown' })().expect(401, errorBody(401, 'Invalid API key'));
    await service.request('get', AGGREGATE, 'nonsense').expect(401, errorBody(401, 'Invalid session'));
  });

  it.each([
    ['status=lost', `status must be one or several of ${MESSAGE_STATUSES.join(', ')}`],
    ['from=yesterday', 'from must be an ISO 8601 date or date-time'],
    ['to=2026-02-29', 'to must be an ISO 8601 date or date-time'],
    ['from=2026-03-02&to=2026-03-01', 'from must not be after to'],
    ['from=2026-03-02T00:00:00.001Z&to=2026-03-02T00:00:00Z', 'from must not be after to'],
    ['search=', 'search must be longer than or equal to 1 characters'],
    ['search=%00', 'search must not hold line breaks or control characters'],
    ['search=a&search=b', /^search must /],
    ['subject=', 'subject must be longer than or equal to 1 characters'],
    ['subject=a%0Ab', 'subject must not hold line breaks or control characters'],
    ['subject=a&subject=b', /^subject must /],
    ['campaignId=', 'campaignId must be longer than or equal to 1 characters'],
    ['campaignId=%00', 'campaignId must not hold line breaks or control characters'],
    ['campaignId=a&campaignId=b', /^campaignId must /],
    ['apiKeyId=x', 'apiKeyId is not a known field'],
    ['campaign=x&from=y', 'campaign is not a known field; from must be an ISO 8601 date or date-time'],
  ])('refuses %s by name', async (query, message) => {
    const { body } = await account.asMember('get', `${AGGREGATE}?${query}`).expect(400);
    expect(body).toEqual(badRequest((message instanceof RegExp ? expect.stringMatching(message) : message) as string));
  });

  it.each([
    ['search', 200],
    ['subject', 998],
    ['campaignId', 100],
  ])('refuses a %s of more than %i characters', async (name, length) => {
    await user()({ [name]: 'x'.repeat(length) }).expect(200);
    const refusal = badRequest(`${name} must be shorter than or equal to ${length} characters`);
    for (const more of [1, 5_000]) await user()({ [name]: 'x'.repeat(length + more) }).expect(400, refusal);
  });
});
