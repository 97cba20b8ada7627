import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { SmsProvider } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TtlCache } from '../../../shared/ttl-cache.js';
import { type SmsAccountStatus, SmsAccountStatuses } from '../../provider-settings/index.js';
import { RefreshSmsAccountStatus } from './refresh-sms-account-status.service.js';

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
  private readonly asked: TtlCache<SmsAccountStatus | null>;

  constructor(
    private readonly standings: SmsAccountStatuses,
    private readonly refreshStanding: RefreshSmsAccountStatus,
    private readonly clock: Clock,
  ) {
    const now = () => clock.now().getTime();
    this.asked = new TtlCache({ max: MAX_REMEMBERED, freshForMs: ASK_AGAIN_AFTER_MS, now });
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

  private isWorthAsking(known: SmsAccountStatus | null, number: string): boolean {
    if (!known) return true;
    const ageMs = this.clock.now().getTime() - known.checkedAt.getTime();
    return ageMs > (isOutOfReach(known, number) ? REFUSAL_STANDS_MS : STALE_AFTER_MS);
  }

  /** Null where there is no answer in time. */
  private ask(accountId: string, provider: SmsProvider): Promise<SmsAccountStatus | null> {
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

const isOutOfReach = (standing: SmsAccountStatus | null, number: string): boolean =>
  standing !== null && standing.sandbox && !standing.verifiedNumbers.includes(number);
