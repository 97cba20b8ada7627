import { chunk } from '../src/shared/collections.js';
import type { ChaosAccount, ChaosAccounts } from './accounts.js';
import { ask, exchangeOf } from './clients.js';
import { CONTENT } from './evidence/copies.js';
import type { SendRecords } from './evidence/sends.js';

/**
 * `steady`: runs to its end, while recipients unsubscribe and contacts are deleted; `interrupted`: is paused and
 * resumed again and again; `canceled`: is canceled half-way; `capped`: of the account with a cap, is canceled at the
 * end.
 */
export type CampaignKind = 'steady' | 'interrupted' | 'canceled' | 'capped';

export interface ChaosCampaign {
  kind: CampaignKind;
  id: string;
  account: ChaosAccount;
  /** The indexes of the recipients. */
  recipients: readonly number[];
}

const CAMPAIGNS: { kind: CampaignKind; account: keyof ChaosAccounts; share: number; startsInMs: number | null }[] = [
  { kind: 'steady', account: 'smtp', share: 1, startsInMs: 3_000 },
  { kind: 'interrupted', account: 'aws', share: 1, startsInMs: null },
  { kind: 'canceled', account: 'smtp', share: 1, startsInMs: null },
  { kind: 'capped', account: 'capped', share: 0.5, startsInMs: null },
];
/** Slow enough that faults hit them, except the last, which the cap slows down. */
const PER_SECOND = 10;
const MAX_RECIPIENTS = 20_000;
const CONTACTS_PER_IMPORT = 1_000;
const SUBJECT = 'News for {{firstName}}';
const HTML = `<p>Hello {{firstName}}, ${CONTENT.campaign}. <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>`;

/** Creates contacts and drafts. The campaigns take most of the `seconds` at their own pace. */
export async function createCampaigns(
  accounts: ChaosAccounts,
  sends: SendRecords,
  url: string,
  seconds: number,
): Promise<ChaosCampaign[]> {
  const campaigns: ChaosCampaign[] = [];
  for (const { kind, account: name, share, startsInMs } of CAMPAIGNS) {
    const account = accounts[name];
    const length = Math.ceil(Math.min(MAX_RECIPIENTS, 0.7 * seconds * PER_SECOND) * share);
    const recipients = Array.from({ length }, () =>
      sends.add({ channel: 'email', isRetriedUntilAccepted: false, isOfCampaign: true }),
    );
    const addresses = recipients.map((index) => sends.recipient(index));
    const listId = await createList(account, url, kind, addresses);
    const draft = {
      name: kind,
      fromEmail: account.sender,
      subject: SUBJECT,
      html: HTML,
      audience: { listIds: [listId], tags: [kind] },
      scheduledAt: startsInMs === null ? null : new Date(Date.now() + startsInMs).toISOString(),
      maxPerMinute: kind === 'capped' ? null : PER_SECOND * 60,
    };
    const { id } = await ask<{ id: string }>(url, exchangeOf('POST', '/api/campaigns', account.session, draft));
    campaigns.push({ kind, id, account, recipients });
  }
  return campaigns;
}

/** All are on the list, half of them have the tag as well. */
async function createList(account: ChaosAccount, url: string, name: string, addresses: string[]): Promise<string> {
  const { session } = account;
  const { id: listId } = await ask<{ id: string }>(url, exchangeOf('POST', '/api/lists', session, { name }));
  for (const batch of chunk(addresses, CONTACTS_PER_IMPORT)) {
    const contacts = batch.map((email, i) => ({ email, firstName: 'Ada', tags: i % 2 === 0 ? [name] : [] }));
    await ask(url, exchangeOf('POST', '/api/contacts/import', session, { contacts, listId }));
  }
  return listId;
}
