import { describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../shared/ports/clock.js';
import type { ProviderKey } from '../../../shared/provider-key.js';
import type { Sender } from '../domain/sender.js';
import { CheckDueSenders } from './check-due-senders.service.js';
import type { DueSenders, SenderRepository } from './ports/sender.repository.js';
import type { VerificationMailLimits } from './ports/sender-verification.js';
import type { SenderVerification } from './sender-verification.service.js';

const NOW = new Date('2027-01-04T12:00:00Z');
const SES = 'ses:eu-west-1:AKIA1';

describe('CheckDueSenders', () => {
  function setUp(due: string[], findConfirmation: (sender: Sender) => Promise<ProviderKey | null>) {
    const log: string[] = [];
    const recording = (what: string) => {
      log.push(what);
      return Promise.resolve();
    };
    const service = new CheckDueSenders(
      {
        unverifyOutdatedAcrossAccounts: () => recording('unverify outdated'),
        claimAcrossAccounts: () => Promise.resolve(due.map((id) => ({ id, accountId: 'a' }) as Sender)),
      } satisfies DueSenders,
      {
        verify: (_: string, id: string, providerKey: string) => recording(`verify ${id} at ${providerKey}`),
      } as unknown as SenderRepository,
      { findConfirmation } as unknown as SenderVerification,
      { deleteOldDaysAcrossAccounts: () => recording('delete old days') } as unknown as VerificationMailLimits,
      { now: () => NOW } as unknown as Clock,
    );
    return { service, log };
  }

  it('verifies the due senders that SES reports as confirmed, after it has unverified outdated ones', async () => {
    const { service, log } = setUp(['s1', 's2'], ({ id }) => Promise.resolve(id === 's2' ? SES : null));
    expect(await service.run()).toBe(2);
    expect(log).toEqual(['delete old days', 'unverify outdated', `verify s2 at ${SES}`]);
  });
});
