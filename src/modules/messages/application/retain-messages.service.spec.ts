import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import { Retention } from '../domain/retention.js';
import type { DailyUsage } from './ports/daily-usage.js';
import type { IdempotencyStore } from './ports/idempotency-store.js';
import type { MessagePartitions, MessageRollup } from './ports/message-maintenance.js';
import { RetainMessages } from './retain-messages.service.js';

const NOW = new Date('2026-03-15T10:00:00Z');

class FixedClock extends Clock {
  now = () => NOW;
}

function retain(contentDays: number, messageMonths: number) {
  const calls: unknown[][] = [];
  const records =
    (name: string) =>
    (...values: unknown[]) => {
      calls.push([name, ...values]);
      return Promise.resolve();
    };
  const partitions = {
    ensure: records('ensure'),
    purgeContentsBefore: records('purge contents'),
    purgeTestContentsAcrossAccounts: records('purge test contents'),
    dropMonthsBefore: records('drop months'),
  } as MessagePartitions;
  const usage = { purgeOldDaysAcrossAccounts: records('purge usage') } as unknown as DailyUsage;
  const keys = { purgeExpiredAcrossAccounts: records('purge keys') } as unknown as IdempotencyStore;
  const rollup = { purgeDroppedMonthsAcrossAccounts: records('purge rollup') } as unknown as MessageRollup;
  const retention = new Retention(contentDays, messageMonths);
  return { service: new RetainMessages(partitions, usage, keys, rollup, retention, new FixedClock()), calls };
}

describe('RetainMessages', () => {
  it('ensures partitions for the current month and three more', async () => {
    const { service, calls } = retain(0, 0);
    await service.ensurePartitions();
    expect(calls).toEqual([['ensure', NOW, 4]]);
  });

  it('purges the rollup after the months were dropped', async () => {
    const { service, calls } = retain(30, 12);
    await service.purgeExpired();
    expect(calls).toEqual([
      ['purge usage'],
      ['purge keys'],
      ['purge contents', new Date('2026-02-13T10:00:00Z')],
      ['purge test contents', new Date('2026-02-13T10:00:00Z'), new Date('2026-03-13T10:00:00Z')],
      ['drop months', new Date('2025-03-01')],
      ['purge rollup'],
    ]);
  });

  it('keeps messages and all but test contents for ever if their periods are 0', async () => {
    const { service, calls } = retain(0, 0);
    await service.purgeExpired();
    expect(calls.map(([name]) => name)).toEqual(['purge usage', 'purge keys', 'purge test contents', 'purge rollup']);
  });
});
