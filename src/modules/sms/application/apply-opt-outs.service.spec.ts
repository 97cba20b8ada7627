import { describe, expect, it } from '@jest/globals';

import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AddressToSuppress, LiftSuppressions, SuppressAddresses } from '../../suppression/index.js';
import { ApplyOptOuts } from './apply-opt-outs.service.js';
import { LeaseLostError, type SyncPass } from './ports/opt-out-sync.repository.js';
import type { OptedOutNumbers } from './ports/opted-out-numbers.js';

const PASS: SyncPass = { accountId: 'a', leaseHolder: 'l', passId: 'p', nextToken: null };
const NUMBER = '+14155550100';

/** Collects the steps; those within a transaction are nested in its list. */
function applyWith({ isLeaseLost = false } = {}) {
  const steps: unknown[] = [];
  let transaction: unknown[] | null = null;
  const note = (...step: unknown[]) => (transaction ?? steps).push(step);
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (transaction) return work();
    const own: unknown[] = (transaction = []);
    try {
      const result = await work();
      steps.push(own);
      return result;
    } finally {
      transaction = null;
    }
  };
  const service = new ApplyOptOuts(
    { run } as unknown as TransactionRunner,
    {
      recordPage: (_: SyncPass, page: object) => {
        if (isLeaseLost) return Promise.reject(new LeaseLostError());
        return Promise.resolve(note('record', page));
      },
      removeMissing: (_: SyncPass, numbers: string[]) => Promise.resolve(note('remove', numbers)),
    } as unknown as OptedOutNumbers,
    {
      suppress: (addresses: AddressToSuppress[]) => {
        note('suppress', addresses);
        return Promise.resolve(addresses);
      },
    } as unknown as SuppressAddresses,
    {
      liftSynced: (accountId: string, numbers: string[]) => Promise.resolve(note('lift', accountId, numbers)),
    } as unknown as LiftSuppressions,
  );
  return { service, steps };
}

const suppressed = (...addresses: string[]) =>
  addresses.map((address) => ({
    accountId: 'a',
    channel: 'sms',
    reason: 'sms_opt_out',
    source: 'sms_sync',
    address,
  }));

describe('ApplyOptOuts', () => {
  it('normalises the numbers, and skips duplicates and what is no phone number', async () => {
    const { service, steps } = applyWith();
    await service.applyPage(PASS, { numbers: ['(415) 555-0100', NUMBER, '72727', ''], nextToken: null });
    expect(steps).toEqual([
      [
        ['suppress', suppressed(NUMBER)],
        ['record', { numbers: [NUMBER], nextToken: null, added: 1 }],
      ],
    ]);
  });

  it('commits nothing if the lease is lost', async () => {
    const { service, steps } = applyWith({ isLeaseLost: true });
    await expect(service.applyPage(PASS, { numbers: [NUMBER], nextToken: null })).rejects.toThrow(LeaseLostError);
    await expect(service.applyMissing(PASS, { gone: [NUMBER], listed: [] })).rejects.toThrow(LeaseLostError);
    expect(steps).toEqual([]);
  });
});
