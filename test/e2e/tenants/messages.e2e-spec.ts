import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DailyUsage } from '../../../src/modules/messages/application/ports/daily-usage.js';
import { EventFeed } from '../../../src/modules/messages/application/ports/event-feed.js';
import { IdempotencyStore } from '../../../src/modules/messages/application/ports/idempotency-store.js';
import { MessageActivity } from '../../../src/modules/messages/application/ports/message-activity.js';
import { MessageGroups } from '../../../src/modules/messages/application/ports/message-groups.js';
import { MessageRollup } from '../../../src/modules/messages/application/ports/message-maintenance.js';
import { MessageReader } from '../../../src/modules/messages/application/ports/message-reader.js';
import { PendingDeliveryRepository } from '../../../src/modules/messages/application/ports/pending-delivery.repository.js';
import { ScheduledDeliveries } from '../../../src/modules/messages/application/ports/scheduled-deliveries.js';
import { TimelineRepository } from '../../../src/modules/messages/application/ports/timeline.repository.js';
import { FEED_START } from '../../../src/modules/messages/domain/event-feed.js';
import type { TestAccount } from '../../support/account.js';
import { recordEvents } from '../../support/event-feed.js';
import { insertMessages } from '../../support/message-rows.js';
import { TwoAccounts } from '../../support/two-accounts.js';
import { waitFor } from '../../support/wait-for.js';

const FILTER = {
  apiKeyId: null,
  campaignId: null,
  channel: null,
  tag: null,
  topicId: null,
  scheduled: false,
  statuses: null,
  search: null,
  subject: null,
  from: null,
  before: null,
};
const TAG = 'order';

let accounts: TwoAccounts;
let reader: MessageReader;
let mine: string;
let theirs: string;

beforeAll(async () => {
  accounts = await TwoAccounts.start();
  reader = accounts.get(MessageReader);
});
afterAll(() => accounts.stop());

beforeEach(async () => {
  for (const table of ['message_logs', 'pending_deliveries', 'message_counts', 'message_count_changes', 'message_tags'])
    await accounts.service.query(`DELETE FROM ${table}`);
  const createdAt = accounts.now;
  [mine = ''] = await insertMessages(accounts.service, accounts.own.id, [{ createdAt }]);
  [theirs = ''] = await insertMessages(accounts.service, accounts.other.id, [{ createdAt, status: 'queued' }]);
  await accounts.service.query(`UPDATE message_logs SET tags = $1`, [[TAG]]);
  for (const [account, id] of [
    [accounts.own, mine],
    [accounts.other, theirs],
  ] as const)
    await addTag(account, TAG, id);
});

const addTag = (account: TestAccount, tag: string, messageId: string) =>
  accounts.service.query('INSERT INTO message_tags (account_id, tag, message_id) VALUES ($1, $2, $3)', [
    account.id,
    tag,
    messageId,
  ]);
const lease = () => accounts.service.query(`UPDATE pending_deliveries SET lease_ends_at = 'infinity'`);

describe('A message of another account', () => {
  it('is not found', async () => {
    await accounts.expectClosed((accountId) => reader.find(accountId, theirs, null), null);
    await accounts.expectClosed((accountId) => reader.findWithTimeline(accountId, theirs, null), null);
  });

  it('shows neither its content nor what was resent from it', async () => {
    await accounts.service.query('INSERT INTO message_contents (message_id, text) VALUES ($1, $2)', [theirs, 'Theirs']);
    await accounts.expectClosed((accountId) => reader.content(accountId, theirs), null);
    await accounts.service.query('UPDATE message_logs SET resent_from = $1 WHERE id = $1', [theirs]);
    await accounts.expectClosed((accountId) => reader.findResent(accountId, theirs), null);
  });

  it('is no copy of the own one with the same group', async () => {
    const groupId = [mine, theirs].sort()[0]!;
    await accounts.service.query('UPDATE message_logs SET group_id = $1', [groupId]);
    expect((await reader.findWithTimeline(accounts.own.id, mine, null))?.copies).toEqual([]);
    const members = await accounts.get(MessageGroups).members(accounts.own.id, groupId);
    expect(members.map(({ id }) => id)).toEqual([mine]);
  });

  it('is not leased, postponed, canceled or given another time', async () => {
    const deliveries = accounts.get(PendingDeliveryRepository);
    const scheduled = accounts.get(ScheduledDeliveries);
    const later = new Date(accounts.now.getTime() + 60_000);
    await accounts.expectClosed((accountId) => deliveries.postpone(accountId, [theirs], later));
    const owner = (accountId: string) => ({ accountId, apiKeyId: null });
    await accounts.expectClosed((accountId) => scheduled.statuses(owner(accountId), [theirs]), new Map());
    await accounts.expectClosed((accountId) => scheduled.reschedule(owner(accountId), theirs, later), null);
    await accounts.expectClosed((accountId) => scheduled.cancel(owner(accountId), [theirs]), []);
  });

  it('is not claimed', () =>
    accounts.expectClosed((accountId) => accounts.get(PendingDeliveryRepository).claim(accountId, [theirs]), []));

  it('gets no event', async () => {
    const timeline = accounts.get(TimelineRepository);
    await accounts.service.query(`UPDATE message_logs SET provider_message_id = 'same' WHERE id = $1`, [theirs]);
    const event = (accountId: string, messageId: string | null) => ({
      accountId,
      channel: 'email' as const,
      messageId,
      providerMessageId: messageId === null ? 'same' : null,
      key: accounts.newId(),
      type: 'opened' as const,
      occurredAt: accounts.now,
      recipient: null,
      data: {},
    });
    for (const messageId of [theirs, null])
      await accounts.expectClosed(
        (accountId) => accounts.service.database.run(() => timeline.record([event(accountId, messageId)])),
        [{ outcome: 'foreign', message: null }],
      );
  });

  it('with the same provider id does not keep the own one from its events', async () => {
    await accounts.service.query(`UPDATE message_logs SET provider_message_id = 'same'`);
    const reference = { accountId: accounts.own.id, channel: 'email' as const, messageId: null };
    const found = await accounts.get(TimelineRepository).find([{ ...reference, providerMessageId: 'same' }]);
    expect(found.map(({ message }) => message?.id)).toEqual([mine]);
  });
});

describe('The events of another account', () => {
  it('are not in the feed, and no news', async () => {
    const feed = accounts.get(EventFeed);
    const all = { apiKeyId: null, types: null };
    const record = (accountId: string, messageId: string) =>
      recordEvents(accounts.service, accountId, messageId, [{ type: 'delivered' }]);
    await record(accounts.other.id, theirs);
    await record(accounts.own.id, mine);
    const read = async ({ id }: { id: string }) => (await feed.read(id, all, FEED_START, 10)).items;
    // The own event is the later one.
    await waitFor('the events', async () => (await read(accounts.own)).length > 0);
    const items = await read(accounts.own);
    expect(items.map(({ messageId }) => messageId)).toEqual([mine]);
    expect(await feed.end(accounts.own.id)).toEqual(items[0]!.position);
    // No event has a message of another account; if one had, its key would not count.
    await accounts.service.query('UPDATE email_events SET message_id = $1 WHERE message_id = $2', [theirs, mine]);
    await accounts.service.query(`UPDATE message_logs SET api_key_id = 'same'`);
    const ofKey = await feed.read(accounts.own.id, { ...all, apiKeyId: 'same' }, FEED_START, 10);
    expect(ofKey.items).toEqual([]);
    const news = await feed.readNewsAcrossAccounts(new Map([[accounts.own.id, FEED_START]]));
    expect([...news.keys()]).toEqual([accounts.own.id]);
    expect([...news.get(accounts.own.id)!.apiKeyIds]).toEqual([null]);
    await accounts.service.query(`UPDATE message_logs SET sent_at = 'epoch'`);
    await accounts.service.query(`UPDATE email_events SET type = 'sent'`);
    expect(await read(accounts.own)).toHaveLength(1);
  });
});

describe('The messages of another account', () => {
  const FILTERS = [
    {},
    { statuses: ['sent', 'queued', 'sending'] },
    { tag: TAG },
    { search: 'ada' },
    { search: 'a' },
    { tag: TAG, search: 'ada' },
    { channel: 'email' },
  ];

  it.each(FILTERS)('are not listed by %j', async (filter) => {
    const wanted = { ...FILTER, ...filter } as never;
    const { items } = await reader.list(accounts.own.id, wanted, null, 10);
    expect(items.map(({ id }) => id)).toEqual([mine]);
  });

  it('are not listed by a search once they are indexed', async () => {
    await accounts.get(MessageRollup).indexTextsAcrossAccounts();
    const { items } = await reader.list(accounts.own.id, { ...FILTER, search: 'ada' }, null, 10);
    expect(items.map(({ id }) => id)).toEqual([mine]);
  });

  it.each([...FILTERS.filter((filter) => !('statuses' in filter)), { subject: 'Hello' }])(
    'are not counted by %j',
    async (filter) => {
      const wanted = { ...FILTER, ...filter } as never;
      const count = async () =>
        (await reader.count(accounts.own.id, wanted))
          .filter(({ messages }) => messages !== 0)
          .map(({ status, messages }) => [status, messages]);
      expect(await count()).toEqual([['sent', 1]]);
      await lease();
      await accounts.get(MessageRollup).rollUpCountsAcrossAccounts();
      await accounts.get(MessageRollup).indexTextsAcrossAccounts();
      expect(await count()).toEqual([['sent', 1]]);
    },
  );

  it('are not reached by a tag that names them', async () => {
    await addTag(accounts.own, 'forged', theirs);
    await accounts.service.query(`UPDATE message_logs SET tags = '{forged}' WHERE id = $1`, [theirs]);
    const wanted = { ...FILTER, tag: 'forged' };
    expect((await reader.list(accounts.own.id, wanted, null, 10)).items).toEqual([]);
    expect(await reader.count(accounts.own.id, wanted)).toEqual([]);
    await addTag(accounts.other, 'foreign', mine);
    await accounts.service.query(`UPDATE message_logs SET tags = '{foreign}' WHERE id = $1`, [mine]);
    const foreign = { ...FILTER, tag: 'foreign' };
    expect((await reader.list(accounts.own.id, foreign, null, 10)).items).toEqual([]);
    expect(await reader.count(accounts.own.id, foreign)).toEqual([]);
  });

  it('make no message of the own account `sending`', async () => {
    await accounts.service.query(`UPDATE message_logs SET status = 'queued' WHERE id = $1`, [mine]);
    // No worker leases a message under another account.
    await accounts.service.query(`UPDATE pending_deliveries SET message_id = $1, lease_ends_at = 'infinity'`, [mine]);
    expect(await reader.find(accounts.own.id, mine, null)).toMatchObject({ status: 'queued' });
  });

  it('do not count as activity', async () => {
    const activity = accounts.get(MessageActivity);
    const start = new Date(accounts.now.toISOString().slice(0, 10));
    for (const interval of ['hour', 'day'] as const) {
      const span = { interval, starts: [start] } as never;
      const counted = (await activity.count(accounts.own.id, span)).filter(({ messages }) => messages !== 0);
      expect(counted.map(({ status, messages }) => [status, messages])).toEqual([['sent', 1]]);
    }
    await accounts.get(MessageRollup).rollUpCountsAcrossAccounts();
    const counted = await activity.count(accounts.own.id, { interval: 'day', starts: [start] } as never);
    expect(counted.map(({ status, messages }) => [status, messages])).toEqual([['sent', 1]]);
  });

  it('do not change the version of the own ones', async () => {
    const start = new Date(accounts.now.toISOString().slice(0, 10));
    const versions = () => accounts.get(MessageActivity).versionsAcrossAccounts([accounts.own.id], start);
    const before = await versions();
    expect([...before.keys()]).toEqual([accounts.own.id]);
    await insertMessages(accounts.service, accounts.other.id, [{}]);
    expect(await versions()).toEqual(before);
    await lease();
    expect(await versions()).toEqual(before);
    await accounts.get(MessageRollup).rollUpCountsAcrossAccounts();
    expect(await versions()).toEqual(before);
  });

  it.each(['before', 'after'])('are not counted for a key of the same id %s the roll-up', async (when) => {
    const apiKeyId = accounts.newId();
    for (const { id } of accounts.both) await insertMessages(accounts.service, id, [{ apiKeyId }]);
    if (when === 'after') await accounts.get(MessageRollup).rollUpCountsAcrossAccounts();
    expect(await accounts.get(MessageActivity).countByKey(accounts.own.id, accounts.now)).toEqual([
      { apiKeyId, used: 1 },
    ]);
  });
});

describe('Scheduled messages of another account', () => {
  it('are released once, with those of their own account', async () => {
    for (const { id } of accounts.both) await insertMessages(accounts.service, id, [{ status: 'queued' }]);
    await accounts.service.query(`UPDATE pending_deliveries SET scheduled_at = now() - interval '1 minute'`);
    const [{ count } = { count: 0 }] = await accounts.service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM pending_deliveries',
    );
    const waiting = await accounts.get(PendingDeliveryRepository).measureBacklogAcrossAccounts();
    expect(waiting).toMatchObject([{ pending: count }]);
    const released = await accounts.get(ScheduledDeliveries).releaseDueAcrossAccounts();
    expect(released).toHaveLength(count);
  });
});

describe('Attachments of another account with the same group', () => {
  let groupId: string;

  beforeEach(async () => {
    groupId = accounts.newId();
    await accounts.service.query(
      `INSERT INTO message_attachments (group_id, number, part, account_id, filename, content_type, size, bytes)
       VALUES ($1, 1, 0, $2, 'a.txt', 'text/plain', 1, 'a')`,
      [groupId, accounts.other.id],
    );
  });

  it('are not read', async () => {
    const groups = accounts.get(MessageGroups);
    const none = { sourceSize: null, attachments: [] };
    await accounts.expectClosed((accountId) => groups.files(accountId, groupId), none);
    const parts = async (accountId: string) => {
      const read: string[] = [];
      for await (const part of groups.read(accountId, groupId, 1)) read.push(part.toString());
      return read;
    };
    await accounts.expectClosed(parts, []);
    const all = async (accountId: string) => {
      const read: string[] = [];
      await groups.readAll(accountId, groupId, (_, bytes) => read.push(bytes.toString()));
      return read;
    };
    await accounts.expectClosed(all, []);
  });
});

describe('What another account has sent', () => {
  it('does not use up the cap, and its keys are not those of the own one', async () => {
    const [usage, apiKeyId] = [accounts.get(DailyUsage), accounts.newId()];
    await accounts.service.query(
      `INSERT INTO daily_usage (subject_id, day, used) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 7)`,
      [accounts.other.id],
    );
    expect(await usage.get(accounts.own.id, apiKeyId, null)).toMatchObject({ accountCap: 1_000, accountUsed: 0 });
    await accounts.service.query('UPDATE accounts SET daily_send_cap = 5 WHERE id = $1', [accounts.other.id]);
    expect(await usage.get(accounts.own.id, apiKeyId, null)).toMatchObject({ accountCap: 1_000, accountUsed: 0 });
    await accounts.service.query('UPDATE accounts SET daily_send_cap = 1000');
  });

  it('is no repetition of an own request with the same key', async () => {
    const store = accounts.get(IdempotencyStore);
    const add = (accountId: string, key: string, fingerprint: string, age = '0') =>
      accounts.service.query(
        `INSERT INTO idempotency_keys (account_id, api_key_id, key, fingerprint, message_id, created_at)
         VALUES ($1, '', $2, $3, $4, $5::timestamptz - $6::interval)`,
        [accountId, key, fingerprint, accounts.newId(), accounts.now, age],
      );
    await add(accounts.other.id, 'same', 'theirs');
    await accounts.expectClosed((accountId) => store.find(accountId, '', 'same'), undefined);
    await add(accounts.own.id, 'expired', 'mine');
    await add(accounts.other.id, 'expired', 'theirs', '10 days');
    await store.purgeExpiredAcrossAccounts();
    expect(await store.find(accounts.own.id, '', 'expired')).toMatchObject({ fingerprint: 'mine' });
    expect(await store.find(accounts.other.id, '', 'same')).toMatchObject({ fingerprint: 'theirs' });
  });
});
