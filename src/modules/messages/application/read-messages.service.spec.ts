import { describe, expect, it } from '@jest/globals';

import { newId } from '../../../shared/ids.js';
import type { MessageFilter } from '../domain/message-filter.js';
import type { EmailEvent, MessageLog } from '../domain/message-log.js';
import type { CampaignContents } from './ports/campaign-contents.js';
import type { MessageReader } from './ports/message-reader.js';
import type { RecipientContact } from './ports/recipient-contacts.js';
import { ReadMessages } from './read-messages.service.js';
import type { ReportedResults } from './reported-results.service.js';

const SENT_AT = new Date('2026-03-01T10:00:00Z');
const ID = newId(SENT_AT);
const MESSAGE = { id: ID, contactId: 'contact', campaignId: 'campaign', sentAt: SENT_AT } as MessageLog;
const CONTACT = { id: 'contact' } as RecipientContact;
const FILTER: MessageFilter = {
  apiKeyId: null,
  channel: null,
  tag: null,
  topicId: null,
  scheduled: false,
  statuses: null,
  search: null,
  from: null,
  before: null,
};

const reading = (reader: Partial<MessageReader>) =>
  new ReadMessages(
    reader as MessageReader,
    { find: () => Promise.resolve(CONTACT) },
    {
      findReferences: (_account: string, ids: string[]) =>
        Promise.resolve(new Map(ids.map((id) => [id, { id, name: 'May' }]))),
    } as unknown as CampaignContents,
    { render: (_account, campaignId, stored) => Promise.resolve({ ...stored, text: `rendered for ${campaignId}` }) },
    {} as ReportedResults,
  );

describe('ReadMessages', () => {
  const withEvents = (...events: Partial<EmailEvent>[]) =>
    reading({
      findWithTimeline: () =>
        Promise.resolve({ message: MESSAGE, events: events as EmailEvent[], attachments: [], copies: [] }),
    });

  it('shows the contact to users, not to API keys', async () => {
    const messages = withEvents();
    expect((await messages.withTimeline('account', ID, null)).contact).toBe(CONTACT);
    expect((await messages.withTimeline('account', ID, 'key')).contact).toBeNull();
  });

  it("omits the provider's own report of the submission", async () => {
    const ours = { type: 'sent', occurredAt: SENT_AT } as const;
    const providers = { type: 'sent', occurredAt: new Date(SENT_AT.getTime() + 1) } as const;
    const delivered = { type: 'delivered', occurredAt: SENT_AT } as const;
    const { events } = await withEvents(ours, providers, delivered).withTimeline('account', ID, null);
    expect(events).toEqual([ours, delivered]);
  });

  it.each(['no-id', ID])('reports message %s of another account as not found', async (id) => {
    const none = { find: () => Promise.resolve(null), findWithTimeline: () => Promise.resolve(null) };
    await expect(reading(none).withTimeline('account', id, null)).rejects.toThrow('Message not found');
    await expect(reading(none).content('account', id)).rejects.toThrow('Message not found');
  });

  it('continues a list where the previous page ended', async () => {
    const calls: (string | null)[] = [];
    const messages = reading({
      list: (_accountId, _filter, beforeId) => {
        calls.push(beforeId);
        return Promise.resolve({ items: [], resumeBefore: beforeId === null ? ID : null });
      },
    });
    const first = await messages.page('account', FILTER, { limit: 10 });
    const second = await messages.page('account', FILTER, { cursor: first.nextCursor ?? '', limit: 10 });
    expect(calls).toEqual([null, ID]);
    expect(second.nextCursor).toBeNull();
  });
});
