import { describe, expect, it } from '@jest/globals';

import { newIds } from '../../../shared/ids.js';
import type { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { ContactAudience } from '../../contacts/index.js';
import type {
  CampaignIntakeOutcome,
  CampaignMessages,
  CampaignRecipient,
  NewCampaignMessage,
} from '../../sending/index.js';
import type { CampaignRun, FedPortion } from '../domain/campaign-run.js';
import { OfferRecipients } from './offer-recipients.service.js';
import { type CampaignFeed } from './ports/campaign-feed.js';
import { ClaimLost } from './ports/campaign-runs.js';

const RUN = { id: 'c1', accountId: 'a1', fedUpTo: 'before' } as CampaignRun;
const IDS = newIds(new Date('2026-01-01T00:00:00Z'), 8);
const NOW = new Date('2026-01-02T00:00:00Z');
const ROW_FAULT = new Error('invalid byte sequence');

function offerTo(
  outcomes: Record<string, CampaignIntakeOutcome | 'fault'>,
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
    return found.includes('fault') ? Promise.reject(ROW_FAULT) : Promise.resolve(found);
  };
  const findContacts = (_: string, ids: readonly string[]) => {
    const known = ids.filter((id) => statuses[id] !== 'deleted');
    const contact = (id: string) => ({ id, email: id, firstName: 'Ada', lastName: null, company: null });
    return Promise.resolve(new Map(known.map((id) => [id, { ...contact(id), status: statuses[id] ?? 'active' }])));
  };
  const service = new OfferRecipients(
    { findContacts } as unknown as ContactAudience,
    { prepare, accept } as unknown as CampaignMessages,
    { lockClaim, advance } as unknown as CampaignFeed,
    transactions as unknown as TransactionRunner,
    { isRowFault: (error: unknown) => error === ROW_FAULT } as DatabaseFaults,
    { now: () => NOW, catchUp: () => Promise.resolve() },
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

  it('skips contacts that are gone, not active or refused by acceptance', async () => {
    const { offer, offered } = offerTo({ a: 'suppressed' }, { b: 'deleted', c: 'bounced' });
    expect(await offer()).toMatchObject({
      accepted: 5,
      skipped: [
        { messageId: IDS[0], reason: 'suppressed' },
        { messageId: IDS[1], reason: 'deleted' },
        { messageId: IDS[2], reason: 'suppressed' },
      ],
    });
    expect(offered).toEqual([['a', 'd', 'e', 'f', 'g', 'h']]);
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

  it('stores nothing if another worker has the campaign, or it was stopped', async () => {
    const { offer, offered, rolledBack } = offerTo({}, {}, true);
    await expect(offer()).rejects.toThrow(ClaimLost);
    expect({ offered, rolledBack: rolledBack() }).toEqual({ offered: [], rolledBack: 1 });
  });
});
