import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import { CheckDueDomains } from './check-due-domains.service.js';
import type { DomainRepository } from './ports/domain.repository.js';
import type { VerifyDomain } from './verify-domain.service.js';

const NOW = new Date('2027-01-04T12:00:00Z');

describe('CheckDueDomains', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  function setUp(count: number, check: (domain: Domain) => Promise<Domain | null>) {
    const due = Array.from({ length: count }, (_, i) => ({ id: `d${i}`, accountId: 'a' }) as Domain);
    const claims: [Date, Date, number][] = [];
    const claimDueAcrossAccounts = (...claim: [Date, Date, number]) => {
      claims.push(claim);
      return Promise.resolve(due);
    };
    const service = new CheckDueDomains(
      { claimDueAcrossAccounts } as unknown as DomainRepository,
      { check } as unknown as VerifyDomain,
      { now: () => NOW } as unknown as Clock,
    );
    return { service, claims };
  }

  it('claims the due domains for ten minutes and returns their number', async () => {
    const { service, claims } = setUp(3, (domain) => Promise.resolve(domain));
    expect(await service.run()).toBe(3);
    expect(claims).toEqual([[NOW, new Date('2027-01-04T12:10:00Z'), 100]]);
  });

  it('checks at most ten domains concurrently', async () => {
    let running = 0;
    let most = 0;
    const { service } = setUp(25, async (domain) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return domain;
    });
    expect(await service.run()).toBe(25);
    expect(most).toBe(10);
  });

  it('logs a failed check and continues with the others', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const checked: string[] = [];
    const { service } = setUp(12, ({ id }) => {
      if (id === 'd0') return Promise.reject(new Error('SES did not answer in time'));
      checked.push(id);
      return Promise.resolve(null);
    });
    expect(await service.run()).toBe(12);
    expect(checked).toHaveLength(11);
    expect(warn.mock.calls).toEqual([['The domain d0 of account a was not checked: SES did not answer in time']]);
  });
});
