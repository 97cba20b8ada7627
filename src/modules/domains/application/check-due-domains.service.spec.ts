import { describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import { CheckDueDomains } from './check-due-domains.service.js';
import type { DomainRepository } from './ports/domain.repository.js';
import type { VerifyDomain } from './verify-domain.service.js';

describe('CheckDueDomains', () => {
  it('checks at most ten domains concurrently', async () => {
    let running = 0;
    let most = 0;
    const check = async (domain: Domain) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return domain;
    };
    const due = Array.from({ length: 25 }, (_, i) => ({ id: `d${i}`, accountId: 'a' }) as Domain);
    const service = new CheckDueDomains(
      { claimDueAcrossAccounts: () => Promise.resolve(due) } as unknown as DomainRepository,
      { check } as unknown as VerifyDomain,
      { now: () => new Date('2027-01-04T12:00:00Z') } as unknown as Clock,
    );
    expect(await service.run()).toBe(25);
    expect(most).toBe(10);
  });
});
