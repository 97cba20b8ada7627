import { describe, expect, it } from '@jest/globals';

import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { ClaimedMessage, PendingDeliveryRepository } from '../../messages/index.js';
import type { AddressToSuppress, SuppressAddresses } from '../../suppression/index.js';
import { RecordRefusedRecipient } from './record-refused-recipient.service.js';

const MESSAGE = { id: 'm', accountId: 'a', channel: 'email', recipient: 'ada@example.org' } as ClaimedMessage;
const BOUNCE = { kind: 'bounced', error: '550 5.1.1 no such user' } as const;
const RECORDED = { recipient: 'ada@example.org', contactId: 'c', campaignId: null };

/** The steps in order; those of a transaction are enclosed in `begin` and `commit`. */
function bounceWith(recorded: typeof RECORDED | null) {
  const steps: string[] = [];
  const suppressed: AddressToSuppress[] = [];
  const runInTransaction = async <T>(accountId: string, work: () => Promise<T>): Promise<T> => {
    steps.push(`begin ${accountId}`);
    const result = await work();
    steps.push('commit');
    return result;
  };
  const service = new RecordRefusedRecipient(
    { runInLane: runInTransaction } as unknown as TransactionRunner,
    {
      recordWithin: () => {
        steps.push('record');
        return Promise.resolve(recorded);
      },
    } as unknown as PendingDeliveryRepository,
    {
      suppress: (addresses: AddressToSuppress[]) => {
        steps.push('suppress');
        suppressed.push(...addresses);
        return Promise.resolve([]);
      },
    } as unknown as SuppressAddresses,
  );
  return { record: () => service.record(MESSAGE, BOUNCE), steps, suppressed };
}

describe('RecordRefusedRecipient', () => {
  it('suppresses the recorded address, not that of the claim, which may have been erased meanwhile', async () => {
    const { record, suppressed } = bounceWith({ ...RECORDED, recipient: 'erased' });
    await record();
    expect(suppressed.map(({ address }) => address)).toEqual(['erased']);
  });

  it('has no effect if the claim is lost', async () => {
    const { record, steps } = bounceWith(null);
    expect(await record()).toBe(false);
    expect(steps).toEqual(['begin a', 'record', 'commit']);
  });
});
