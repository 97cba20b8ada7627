import { Injectable, Logger } from '@nestjs/common';

import { forEachConcurrently } from '../../../concurrency/for-each-concurrently.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Sender } from '../domain/sender.js';
import { DueSenders, SenderRepository } from './ports/sender.repository.js';
import { VerificationMailLimits } from './ports/sender-verification.js';
import { SenderVerification } from './sender-verification.service.js';

const MAX_PER_RUN = 100;
const CONCURRENCY = 10;

@Injectable()
export class CheckDueSenders {
  private readonly logger = new Logger(CheckDueSenders.name);

  constructor(
    private readonly dueSenders: DueSenders,
    private readonly senders: SenderRepository,
    private readonly verification: SenderVerification,
    private readonly limits: VerificationMailLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Polls providers for confirmations and makes senders pending that are no longer proven. Returns the number of
   * senders that were due.
   */
  async run(): Promise<number> {
    await this.limits.deleteOldDaysAcrossAccounts(this.clock.now());
    await this.dueSenders.unverifyOutdatedAcrossAccounts();
    const due = await this.dueSenders.claimAcrossAccounts(this.clock.now(), MAX_PER_RUN);
    await forEachConcurrently(due, CONCURRENCY, (sender) => this.check(sender));
    return due.length;
  }

  private async check(sender: Sender): Promise<void> {
    try {
      const providerKey = await this.verification.findConfirmation(sender);
      if (providerKey === null) return;
      await this.senders.verify(sender.accountId, sender.id, providerKey, this.clock.now());
    } catch (error) {
      this.logger.warn(
        `The sender ${sender.id} of account ${sender.accountId} was not checked: ${(error as Error).message}`,
      );
    }
  }
}
