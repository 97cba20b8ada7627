import { describe, expect, it } from '@jest/globals';

import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { ClaimedMessage, PendingDeliveryRepository } from '../../messages/index.js';
import type { AddressToSuppress, SuppressAddresses } from '../../suppression/index.js';
import { RecordRefusedRecipient } from './record-refused-recipient.service.js';

const MESSAGE = { id: 'm', accountId: 'a', channel: 'email', recipient: 'ada@example.org' } as ClaimedMessage;
const BOUNCE = { kind: 'bounced', error: '550 5.1.1 no such user' } as const;
const OPT_OUT = { kind: 'opted_out', error: 'The recipient has unsubscribed' } as const;
type Refusal = typeof BOUNCE | typeof OPT_OUT;
const RECORDED = { recipient: 'ada@example.org', contactId: 'c', campaignId: null };

/** The steps in order; those of a transaction are enclosed in `begin` and `commit` or `rollback`. */
function bounceWith(recorded: typeof RECORDED | null, suppressionError?: Error) {
  const steps: string[] = [];
  const suppressed: AddressToSuppress[] = [];
  const runInTransaction = async <T>(accountId: string, work: () => Promise<T>): Promise<T> => {
    steps.push(`begin ${accountId}`);
    try {
      const result = await work();
      steps.push('commit');
      return result;
    } catch (error) {
      steps.push('rollback');
      throw error;
    }
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
        return suppressionError ? Promise.reject(suppressionError) : Promise.resolve([]);
      },
    } as unknown as SuppressAddresses,
  );
  return { record: (outcome: Refusal = BOUNCE) => service.record(MESSAGE, outcome), steps, suppressed };
}

describe('RecordRefusedRecipient', () => {
  it('records the outcome and suppresses the address in one transaction', async () => {
    const { record, steps, suppressed } = bounceWith(RECORDED);
    expect(await record()).toBe(true);
    expect(steps).toEqual(['begin a', 'record', 'suppress', 'commit']);
    expect(suppressed).toEqual([
      {
        accountId: 'a',
        channel: 'email',
        address: 'ada@example.org',
        reason: 'bounced',
        source: 'provider',
        messageLogId: 'm',
        contactId: 'c',
        campaignId: null,
        diagnosticCode: BOUNCE.error,
      },
    ]);
  });

  it('suppresses a recipient that has opted out for that reason', async () => {
    const { record, suppressed } = bounceWith(RECORDED);
    expect(await record(OPT_OUT)).toBe(true);
    expect(suppressed).toMatchObject([{ reason: 'sms_opt_out', source: 'provider', messageLogId: 'm' }]);
  });

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

  it('records nothing if the suppression fails', async () => {
    const { record, steps } = bounceWith(RECORDED, new Error('deadlock detected'));
    await expect(record()).rejects.toThrow('deadlock detected');
    expect(steps).toEqual(['begin a', 'record', 'suppress', 'rollback']);
  });
});
