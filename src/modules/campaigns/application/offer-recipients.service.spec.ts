import { describe, expect, it } from '@jest/globals';

import { newIds } from '../../../shared/ids.js';
import type { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import type { ContactAudience } from '../../contacts/index.js';
import type { CampaignIntakeOutcome, CampaignMessages, CampaignRecipient } from '../../sending/index.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import { OfferRecipients } from './offer-recipients.service.js';

const RUN = { id: 'c1', accountId: 'a1', fedUpTo: 'before' } as CampaignRun;
const IDS = newIds(new Date('2026-01-01T00:00:00Z'), 8);
const ROW_FAULT = new Error('invalid byte sequence');

function offerTo(
  outcomes: Record<string, CampaignIntakeOutcome | 'fault'>,
  statuses: Record<string, string> = {},
  stored: string[] = [],
) {
  const offered: string[][] = [];
  const accept = (_: unknown, recipients: readonly CampaignRecipient[]) => {
    offered.push(recipients.map(({ email }) => email));
    const found = recipients.map(({ email }) => outcomes[email] ?? 'accepted');
    return found.includes('fault') ? Promise.reject(ROW_FAULT) : Promise.resolve(found);
  };
  const findContacts = (_: string, ids: readonly string[]) => {
    const known = ids.filter((id) => statuses[id] !== 'deleted');
    const contact = (id: string) => ({ id, email: id, firstName: 'Ada', lastName: null, company: null });
    return Promise.resolve(new Map(known.map((id) => [id, { ...contact(id), status: statuses[id] ?? 'active' }])));
  };
  const service = new OfferRecipients(
    { findContacts } as unknown as ContactAudience,
    { accept, findStored: () => Promise.resolve(new Set(stored)) } as unknown as CampaignMessages,
    { isRowFault: (error: unknown) => error === ROW_FAULT } as DatabaseFaults,
  );
  const waiting = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, i) => {
    return { messageId: IDS[i]!, contactId: name, email: name };
  });
  return { portion: service.offer(RUN, waiting), offered };
}

describe('OfferRecipients', () => {
  it('counts a message that an earlier offer stored as accepted', async () => {
    const { portion } = offerTo({ a: 'duplicate', b: 'duplicate' });
    expect(await portion).toEqual({ fedUpTo: IDS[7], accepted: 8, skipped: [], isOverCap: false });
  });

  it('skips contacts that are gone, not active or refused by acceptance', async () => {
    const { portion, offered } = offerTo({ a: 'suppressed' }, { b: 'deleted', c: 'bounced' });
    expect(await portion).toMatchObject({
      accepted: 5,
      skipped: [
        { messageId: IDS[0], reason: 'suppressed' },
        { messageId: IDS[1], reason: 'deleted' },
        { messageId: IDS[2], reason: 'suppressed' },
      ],
    });
    expect(offered).toEqual([['a', 'd', 'e', 'f', 'g', 'h']]);
  });

  it('counts it although the contact is gone or not active now', async () => {
    const { portion } = offerTo({}, { a: 'deleted', b: 'bounced', c: 'deleted' }, [IDS[0]!, IDS[1]!]);
    expect(await portion).toMatchObject({ accepted: 7, skipped: [{ messageId: IDS[2], reason: 'deleted' }] });
  });

  it('ends before the first recipient over a cap', async () => {
    const { portion } = offerTo({ b: 'suppressed', d: 'over_cap', e: 'suppressed', f: 'over_cap' });
    expect(await portion).toEqual({
      ...{ fedUpTo: IDS[2], accepted: 2, isOverCap: true },
      skipped: [{ messageId: IDS[1], reason: 'suppressed' }],
    });
    expect(await offerTo({ a: 'over_cap' }).portion).toMatchObject({ fedUpTo: 'before', accepted: 0, isOverCap: true });
  });

  it('skips only the recipients whose rows the database refuses', async () => {
    const { portion } = offerTo({ c: 'fault', h: 'fault' });
    expect(await portion).toMatchObject({
      ...{ fedUpTo: IDS[7], accepted: 6 },
      skipped: [
        { messageId: IDS[2], reason: 'failed' },
        { messageId: IDS[7], reason: 'failed' },
      ],
    });
  });
});
