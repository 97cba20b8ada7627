import { Injectable, Logger } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SenderRepository } from './ports/sender.repository.js';
import { VerificationMailLimits } from './ports/verification-mail-limits.js';
import type { Sender } from '../domain/sender.js';
import { AskHolder } from './ask-holder.service.js';

const MAX_AT_A_RUN = 100;
const AT_ONCE = 10;

@Injectable()
export class CheckDueSenders {
  private readonly logger = new Logger(CheckDueSenders.name);

  constructor(
    private readonly senders: SenderRepository,
    private readonly askHolder: AskHolder,
    private readonly limits: VerificationMailLimits,
    private readonly clock: Clock,
  ) {}

  /** Asks SES for those that wait for its link to be used: how many were due. Those that no longer hold become pending. */
  async run(): Promise<number> {
    await this.limits.forgetOldDaysAcrossAccounts(this.clock.now());
    await this.senders.unverifyMovedAcrossAccounts();
    const due = await this.senders.claimDueAcrossAccounts(this.clock.now(), MAX_AT_A_RUN);
    for (const some of chunk(due, AT_ONCE)) await Promise.all(some.map((sender) => this.check(sender)));
    return due.length;
  }

  private async check(sender: Sender): Promise<void> {
    try {
      const place = await this.askHolder.findAgreement(sender);
      if (place === null) return;
      await this.senders.verify(sender.accountId, sender.id, place, this.clock.now());
    } catch (error) {
      this.logger.warn(
        `The sender ${sender.id} of account ${sender.accountId} was not checked: ${(error as Error).message}`,
      );
    }
  }
}
