import { Injectable, Logger } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Domain } from '../domain/domain.js';
import { DomainRepository } from './ports/domain.repository.js';
import { VerifyDomain } from './verify-domain.service.js';

const MAX_AT_A_RUN = 100;
const AT_ONCE = 10;
/** Longer than a run takes: what a stopped process leaves is due again after that. */
const CLAIMED_FOR_MS = 10 * 60_000;

@Injectable()
export class CheckDueDomains {
  private readonly logger = new Logger(CheckDueDomains.name);

  constructor(
    private readonly domains: DomainRepository,
    private readonly verifyDomain: VerifyDomain,
    private readonly clock: Clock,
  ) {}

  /** How many were due. */
  async run(): Promise<number> {
    const now = this.clock.now();
    const again = new Date(now.getTime() + CLAIMED_FOR_MS);
    const due = await this.domains.claimDueAcrossAccounts(now, again, MAX_AT_A_RUN);
    for (const some of chunk(due, AT_ONCE)) await Promise.all(some.map((domain) => this.check(domain)));
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
