import { describe, expect, it } from '@jest/globals';

import { newIds } from '../../../shared/ids.js';
import type { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { RequiredConsent } from '../../consent/index.js';
import type { ContactAudience } from '../../contacts/index.js';
import type { CampaignIntakeOutcome, NewCampaignMessage } from '../../messages/index.js';
import type { CampaignMessages, CampaignRecipient } from '../../sending/index.js';
import type { CampaignRun, FedPortion } from '../domain/campaign-run.js';
import { FindUnwilling } from './find-unwilling.service.js';
import { OfferRecipients } from './offer-recipients.service.js';
import { type CampaignFeed } from './ports/campaign-feed.js';
import type { TopicDirectory } from '../../topics/index.js';
import { ClaimLost } from './ports/campaign-runs.js';

const RUN = { id: 'c1', accountId: 'a1', fedUpTo: 'before', topicId: 't1' } as CampaignRun;
const IDS = newIds(new Date('2026-01-01T00:00:00Z'), 8);
const ROW_FAULT = new Error('invalid byte sequence');
const DETACHED = new Error('no partition of relation found for row');

function offerTo(
  outcomes: Record<string, CampaignIntakeOutcome | 'fault' | 'detached'>,
  statuses: Record<string, string> = {},
  isClaimLost = false,
) {
  const offered: string[][] = [];
  const recorded: FedPortion[] = [];
  let rolledBack = 0;
  const lockClaim = () => (isClaimLost ? Promise.reject(new ClaimLost('gone')) : Promise.resolve());
  const advance = (_: CampaignRun, portion: FedPortion) => Promise.resolve(void recorded.push(portion));
  const transactions = {
    runInLane: <T>(_: string, work: () => Promise<T>) =>
      work().catch((error: unknown) => {
        rolledBack += 1;
        throw error;
      }),
  };
  const prepare = (_: unknown, recipients: readonly CampaignRecipient[]) =>
    Promise.resolve(recipients.map(({ messageId: id, email: recipient }) => ({ id, recipient })));
  const accept = (_: unknown, messages: readonly NewCampaignMessage[]) => {
    offered.push(messages.map(({ recipient }) => recipient));
    const found = messages.map(({ recipient }) => outcomes[recipient] ?? 'accepted');
    if (found.includes('detached')) return Promise.reject(DETACHED);
    return found.includes('fault') ? Promise.reject(ROW_FAULT) : Promise.resolve(found);
  };
  const findContacts = (_: string, ids: readonly string[]) => {
    const known = ids.filter((id) => statuses[id] !== 'deleted');
    const contact = (id: string) => ({
      id,
      email: id,
      normalisedEmail: id,
      firstName: 'Ada',
      lastName: null,
      company: null,
    });
    return Promise.resolve(
      new Map(known.map((id) => [id, { ...contact(id), status: (statuses[id] ?? 'active').split(' ')[0] }])),
    );
  };
  const findLacking = (_: string, emails: readonly string[]) =>
    Promise.resolve(new Set(emails.filter((email) => statuses[email] === 'active without consent')));
  const findOut = (_: string, emails: readonly string[]) =>
    Promise.resolve(new Set(emails.filter((email) => statuses[email] === 'active out of the topic')));
  const service = new OfferRecipients(
    { findContacts } as unknown as ContactAudience,
    new FindUnwilling({ findLacking } as unknown as RequiredConsent, { findOut } as unknown as TopicDirectory),
    { prepare, accept } as unknown as CampaignMessages,
    { lockClaim, advance } as unknown as CampaignFeed,
    transactions as unknown as TransactionRunner,
    {
      isRowFault: (error: unknown) => error === ROW_FAULT || error === DETACHED,
      isUnavailable: (error: unknown) => error === DETACHED,
    } as DatabaseFaults,
  );
  const waiting = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, i) => {
    return { messageId: IDS[i]!, contactId: name, email: name };
  });
  const offer = (from = 0) => service.offer(RUN, waiting.slice(from), (accepted) => new Date(accepted));
  return { offer, offered, recorded, rolledBack: () => rolledBack };
}

describe('OfferRecipients', () => {
  it('counts a message that an earlier offer stored as accepted', async () => {
    const { offer } = offerTo({ a: 'duplicate', b: 'duplicate' });
    expect(await offer()).toEqual({ fedUpTo: IDS[7], accepted: 8, skipped: [], isOverCap: false });
  });

  it('skips contacts that are gone, not active, without a required consent or refused by acceptance', async () => {
    const statuses = { b: 'deleted', c: 'bounced', d: 'active without consent' };
    const { offer, offered } = offerTo({ a: 'suppressed' }, statuses);
    expect(await offer()).toMatchObject({
      accepted: 4,
      skipped: [
        { messageId: IDS[0], reason: 'suppressed' },
        { messageId: IDS[1], reason: 'deleted' },
        { messageId: IDS[2], reason: 'suppressed' },
        { messageId: IDS[3], reason: 'no_consent' },
      ],
    });
    expect(offered).toEqual([['a', 'e', 'f', 'g', 'h']]);
  });

  it('ends before the first recipient over a cap', async () => {
    const { offer, recorded } = offerTo({ b: 'suppressed', d: 'over_cap', e: 'suppressed', f: 'over_cap' });
    expect(await offer()).toEqual({
      ...{ fedUpTo: IDS[2], accepted: 2, isOverCap: true },
      skipped: [{ messageId: IDS[1], reason: 'suppressed' }],
    });
    expect(recorded).toMatchObject([{ fedUpTo: IDS[2], waitingFor: 'daily_cap', pacedUntil: new Date(2) }]);
    const full = await offerTo({ a: 'over_cap' }).offer();
    expect(full).toMatchObject({ fedUpTo: 'before', accepted: 0, isOverCap: true });
  });

  it('finds the recipients whose rows the database refuses, and skips only those', async () => {
    const { offer, recorded } = offerTo({ c: 'fault', h: 'fault' });
    for (let done = 0; done < IDS.length;) done = IDS.indexOf((await offer(done)).fedUpTo) + 1;
    expect(recorded.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(6);
    expect(recorded.flatMap(({ skipped }) => skipped)).toEqual([
      { messageId: IDS[2], reason: 'failed' },
      { messageId: IDS[7], reason: 'failed' },
    ]);
  });

  it('skips nobody if the partition of the messages is just being detached', async () => {
    const { offer, recorded } = offerTo({ c: 'detached' });
    await expect(offer()).rejects.toBe(DETACHED);
    expect(recorded).toEqual([]);
  });

  it('stores nothing if another worker has the campaign, or it was stopped', async () => {
    const { offer, offered, rolledBack } = offerTo({}, {}, true);
    await expect(offer()).rejects.toThrow(ClaimLost);
    expect({ offered, rolledBack: rolledBack() }).toEqual({ offered: [], rolledBack: 1 });
  });
});
