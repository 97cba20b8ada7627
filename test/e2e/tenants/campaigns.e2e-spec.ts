import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CampaignFeed } from '../../../src/modules/campaigns/application/ports/campaign-feed.js';
import { CampaignRecipients } from '../../../src/modules/campaigns/application/ports/campaign-recipients.js';
import { CampaignRuns, ClaimLost } from '../../../src/modules/campaigns/application/ports/campaign-runs.js';
import { CampaignRepository } from '../../../src/modules/campaigns/application/ports/campaign.repository.js';
import type { CampaignRun } from '../../../src/modules/campaigns/domain/campaign-run.js';
import { Campaign } from '../../../src/modules/campaigns/domain/campaign.js';
import { CampaignContents } from '../../../src/modules/messages/application/ports/campaign-contents.js';
import { CampaignIntake } from '../../../src/modules/messages/application/ports/campaign-intake.js';
import { MessageActivity } from '../../../src/modules/messages/application/ports/message-activity.js';
import {
  MessagePartitions,
  MessageRollup,
} from '../../../src/modules/messages/application/ports/message-maintenance.js';
import { MessageReader } from '../../../src/modules/messages/application/ports/message-reader.js';
import { insertMessages } from '../../support/message-rows.js';
import { TwoAccounts } from '../../support/two-accounts.js';

const PAGE = { page: 1, limit: 100 };
const PLAN = {
  name: 'News',
  fromEmail: 'hello@example.org',
  fromName: null,
  replyTo: null,
  subject: 'News',
  html: null,
  text: '{{unsubscribeUrl}}',
  templateId: null,
  variables: null,
  audience: { listIds: [], tags: ['all'], excludeListIds: [], excludeTags: [] },
  scheduledAt: null,
  maxPerMinute: null,
  topicId: null,
};

let accounts: TwoAccounts;
let campaigns: CampaignRepository;
let theirs: Campaign;

beforeAll(async () => {
  accounts = await TwoAccounts.start();
  campaigns = accounts.get(CampaignRepository);
});
afterAll(() => accounts.stop());
beforeEach(async () => {
  await accounts.service.query('DELETE FROM campaigns');
  for (const { id } of accounts.both) {
    theirs = Campaign.create(accounts.newId(), id, PLAN, accounts.now);
    await campaigns.add(theirs);
  }
});

describe('A campaign of another account', () => {
  it('is neither found nor listed', async () => {
    await accounts.expectClosed((accountId) => campaigns.find(accountId, theirs.id), null);
    const { items, total } = await campaigns.list(accounts.own.id, {}, PAGE);
    expect([items.map(({ accountId }) => accountId), total]).toEqual([[accounts.own.id], 1]);
  });

  it('is not changed, read or removed', async () => {
    const as = (accountId: string, changes: Partial<Campaign> = {}) =>
      Object.assign(new Campaign(), theirs, { accountId, ...changes });
    const content = { subject: 'News' } as never;
    await accounts.expectClosed((accountId) => campaigns.save(as(accountId, { name: 'Changed' }), content), false);
    await accounts.expectClosed((accountId) => campaigns.findContent(accountId, theirs.id), null);
    await accounts.expectClosed((accountId) => campaigns.remove(as(accountId, { revision: 1 }), accounts.now), false);
  });

  it('does not count as running', async () => {
    await accounts.service.query(`UPDATE campaigns SET status = 'running'`);
    expect(await campaigns.countOthersRunning(accounts.own.id, accounts.newId())).toBe(1);
  });
});

describe('A run of another account', () => {
  let runs: CampaignRuns;
  let feed: CampaignFeed;
  let recipients: CampaignRecipients;
  let run: CampaignRun;

  beforeEach(async () => {
    [runs, feed, recipients] = [
      accounts.get(CampaignRuns),
      accounts.get(CampaignFeed),
      accounts.get(CampaignRecipients),
    ];
    await accounts.service.query(`UPDATE campaigns SET status = 'running'`);
    run = (await runs.claim(accounts.other.id, theirs.id, accounts.now))!;
    await feed.saveAudience(run, [[accounts.newId()], [accounts.newId()]]);
  });

  const as = (accountId: string): CampaignRun => ({ ...run, accountId });
  const portion = { fedUpTo: '', accepted: 1, skipped: [], waitingFor: null, pacedUntil: null };
  async function addRecipient(): Promise<string> {
    const [contactId] = (await feed.nextContacts(run))!;
    const recipient = { contactId: contactId!, email: 'a@example.org', normalisedEmail: 'a@example.org', reason: null };
    await feed.addRecipients(run, [recipient], accounts.now);
    return (await feed.listWaiting(run, 10))[0]!.messageId;
  }

  it('is not claimed', async () => {
    await runs.release(run);
    await accounts.expectClosed((accountId) => runs.claim(accountId, theirs.id, accounts.now), null);
  });

  it('is not worked on with its claim', async () => {
    await accounts.expectClosed((accountId) => feed.nextContacts(as(accountId)), null);
    await accounts.expectClosed((accountId) => runs.renew(as(accountId)), ClaimLost.name);
    await accounts.expectClosed((accountId) => feed.advance(as(accountId), portion), ClaimLost.name);
    await accounts.expectClosed((accountId) => runs.pause(as(accountId), 'user'));
  });

  it('shows no recipients and replaces none', async () => {
    const messageId = await addRecipient();
    await accounts.expectClosed((accountId) => feed.listWaiting(as(accountId), 10), []);
    const range = { outcome: null, afterMessageId: '', limit: 10 };
    await accounts.expectClosed((accountId) => recipients.list(accountId, theirs.id, range), []);
    await accounts.expectClosed((accountId) => recipients.lastMessageId(accountId, theirs.id), '');
    await feed.advance(run, { ...portion, fedUpTo: messageId });
    await accounts.expectClosed((accountId) => recipients.findCurrent(accountId, theirs.id, [messageId]), []);
    await accounts.expectClosed((accountId) => recipients.renew(accountId, theirs.id, [messageId], accounts.now));
  });
});

describe('Messages of another account with the same campaign id', () => {
  let campaignId: string;
  let mine: string;
  const DAY = 24 * 3_600_000;

  beforeEach(async () => {
    await accounts.service.query('DELETE FROM message_logs');
    await accounts.service.query('DELETE FROM pending_deliveries');
    campaignId = accounts.newId();
    [mine = ''] = await insertMessages(accounts.service, accounts.own.id, [{ campaignId, status: 'failed' }]);
    const rows = (['failed', 'sending', 'queued'] as const).map((status) => ({ campaignId, status }));
    await insertMessages(accounts.service, accounts.other.id, rows);
    await accounts.service.query('UPDATE pending_deliveries SET campaign_id = $1', [campaignId]);
  });

  it('are not pending', async () => {
    const pending = () => accounts.get(CampaignIntake).countPending(accounts.own.id, campaignId);
    expect(await pending()).toEqual({ due: 0, postponed: 0 });
    await accounts.service.query(`UPDATE pending_deliveries SET next_attempt_at = 'infinity'`);
    expect(await pending()).toEqual({ due: 0, postponed: 0 });
  });

  it('have not failed', async () => {
    const range = { afterId: '', upToId: 'd' };
    expect(await accounts.get(CampaignIntake).findFailed(accounts.own.id, campaignId, range, 10)).toEqual([mine]);
  });

  it.each(['before', 'after'])('are not counted %s the roll-up', async (when) => {
    if (when === 'after') await accounts.get(MessageRollup).rollUpCountsAcrossAccounts();
    const counts = await accounts.get(MessageReader).countByCampaign(accounts.own.id, [campaignId]);
    const counted = counts.filter(({ messages }) => messages !== 0);
    expect(counted.map(({ status, messages }) => [status, messages])).toEqual([['failed', 1]]);
  });

  it.each(['before', 'after'])('have events of their own %s the roll-up', async (when) => {
    const hour = new Date(accounts.now.getTime() - (accounts.now.getTime() % 3_600_000));
    const table = when === 'before' ? 'campaign_activity_changes' : 'campaign_activity';
    await accounts.service.query(
      `INSERT INTO ${table} (account_id, campaign_id, hour, type, events) VALUES ($1, $2, $3, 'sent', 3)`,
      [accounts.other.id, campaignId, hour],
    );
    const span = { interval: 'hour', starts: [hour] } as never;
    const activity = accounts.get(MessageActivity);
    await accounts.expectClosed((accountId) => activity.countCampaignEvents(accountId, campaignId, span), []);
  });

  it('have a content of their own', async () => {
    const contents = accounts.get(CampaignContents);
    const content = { subject: 'Theirs', html: null, text: 'Theirs', variables: null } as never;
    await contents.freeze(accounts.other.id, { id: campaignId, name: 'Theirs' }, content);
    await accounts.expectClosed((accountId) => contents.find(accountId, campaignId), null);
    await accounts.expectClosed((accountId) => contents.findReferences(accountId, [campaignId]), new Map());
  });

  it('keep no content of the own campaign', async () => {
    const contents = accounts.get(CampaignContents);
    const content = { subject: 'Mine', html: null, text: 'Mine', variables: null } as never;
    await contents.freeze(accounts.own.id, { id: campaignId, name: 'Mine' }, content);
    await accounts.service.query('DELETE FROM message_logs WHERE account_id = $1', [accounts.own.id]);
    await accounts.service.query(`UPDATE campaign_contents SET frozen_at = $1`, [
      new Date(accounts.now.getTime() - 2 * DAY),
    ]);
    // The months of the messages are kept.
    await accounts.get(MessagePartitions).dropMonthsBefore(new Date(accounts.now.getTime() - DAY));
    expect(await contents.find(accounts.own.id, campaignId)).toBeNull();
  });
});
