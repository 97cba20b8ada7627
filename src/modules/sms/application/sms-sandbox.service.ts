import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { SmsProvider } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { RecentAnswers } from '../../../shared/recent-answers.js';
import { type SmsStanding, SmsStandings } from '../../accounts/index.js';
import { RefreshSmsStanding } from './refresh-sms-standing.service.js';

/** Twice the interval of the schedule that asks. */
const STALE_AFTER_MS = 30 * 60_000;
/** A number may have been verified since. */
const REFUSAL_STANDS_MS = 60_000;
/** A process asks for an account no more often, whatever the answer. */
const ASK_AGAIN_AFTER_MS = 30_000;
const ANSWERED_WITHIN_MS = 2_000;
const MAX_REMEMBERED = 1_000;

/** Whom the provider lets an account send SMS to. */
@Injectable()
export class SmsSandbox {
  private readonly logger = new Logger(SmsSandbox.name);
  private readonly asked: RecentAnswers<SmsStanding | null>;

  constructor(
    private readonly standings: SmsStandings,
    private readonly refreshStanding: RefreshSmsStanding,
    private readonly clock: Clock,
  ) {
    const now = () => clock.now().getTime();
    this.asked = new RecentAnswers({ max: MAX_REMEMBERED, freshForMs: ASK_AGAIN_AFTER_MS, now });
  }

  /**
   * Throws invalid where the AWS account is in the SMS sandbox and the number, in E.164, is not verified there: SNS would
   * take the message and deliver nothing. Where SNS cannot be asked in time, what was known last counts, and nothing
   * restricts where nothing is known.
   */
  async requireReachable(accountId: string, provider: SmsProvider, number: string): Promise<void> {
    const known = await this.standings.find(accountId);
    const standing = this.isWorthAsking(known, number) ? ((await this.ask(accountId, provider)) ?? known) : known;
    if (!isOutOfReach(standing, number)) return;
    throw DomainError.invalid(
      `${number} is not verified, and the AWS account is in the SMS sandbox`,
      'sms_sandbox_restriction',
    );
  }

  private isWorthAsking(known: SmsStanding | null, number: string): boolean {
    if (!known) return true;
    const ageMs = this.clock.now().getTime() - known.checkedAt.getTime();
    return ageMs > (isOutOfReach(known, number) ? REFUSAL_STANDS_MS : STALE_AFTER_MS);
  }

  /** Null where there is no answer in time. */
  private ask(accountId: string, provider: SmsProvider): Promise<SmsStanding | null> {
    const question = `${accountId} ${provider.settingsAt.getTime()}`;
    return this.asked.get(question, () => {
      const answer = this.refreshStanding.refresh(accountId, provider).catch((error: unknown) => {
        this.logger.warn(`The SMS sandbox of account ${accountId} is not known: ${(error as Error).message}`);
        return null;
      });
      return Promise.race([answer, pause(ANSWERED_WITHIN_MS, null, { ref: false })]);
    });
  }
}

const isOutOfReach = (standing: SmsStanding | null, number: string): boolean =>
  standing !== null && standing.sandbox && !standing.verifiedNumbers.includes(number);
