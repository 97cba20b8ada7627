import { Injectable, Logger } from '@nestjs/common';

import { forEachConcurrently } from '../../../concurrency/for-each-concurrently.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import { DomainRepository } from './ports/domain.repository.js';
import { VerifyDomain } from './verify-domain.service.js';

const MAX_PER_RUN = 100;
const CONCURRENCY = 10;
/** Longer than a run takes. Domains claimed by a stopped process are due again after this time. */
const CLAIM_MS = 10 * 60_000;

@Injectable()
export class CheckDueDomains {
  private readonly logger = new Logger(CheckDueDomains.name);

  constructor(
    private readonly domains: DomainRepository,
    private readonly verifyDomain: VerifyDomain,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of domains that were due. */
  async run(): Promise<number> {
    const now = this.clock.now();
    const claimedUntil = new Date(now.getTime() + CLAIM_MS);
    const due = await this.domains.claimDueAcrossAccounts(now, claimedUntil, MAX_PER_RUN);
    await forEachConcurrently(due, CONCURRENCY, (domain) => this.check(domain));
    return due.length;
  }

  private async check(domain: Domain): Promise<void> {
    try {
      await this.verifyDomain.check(domain);
    } catch (error) {
      this.logger.warn(
        `The domain ${domain.id} of account ${domain.accountId} was not checked: ${(error as Error).message}`,
      );
    }
  }
}
