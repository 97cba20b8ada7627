import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { SmsConnection } from '../../../providers/index.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TtlCache } from '../../../concurrency/ttl-cache.js';
import { type SmsAccountStatus, SmsAccountStatuses } from '../../provider-settings/index.js';
import { RefreshSmsAccountStatus } from './refresh-sms-account-status.service.js';

/** Twice the interval of the schedule that refreshes the status. */
const STALE_AFTER_MS = 30 * 60_000;
/** Shorter for a status that refuses the number, which may have been verified meanwhile. */
const REFUSAL_STALE_AFTER_MS = 60_000;
/** The shortest interval between two refreshes of an account by one process. */
const REFRESH_INTERVAL_MS = 30_000;
const REFRESH_TIMEOUT_MS = 2_000;
const MAX_CACHED_ACCOUNTS = 1_000;

/** Checks whether the SMS sandbox of AWS lets an account send to a number. */
@Injectable()
export class SmsSandbox {
  private readonly logger = new Logger(SmsSandbox.name);
  private readonly refreshes: TtlCache<SmsAccountStatus | null>;

  constructor(
    private readonly statuses: SmsAccountStatuses,
    private readonly refreshStatus: RefreshSmsAccountStatus,
    private readonly clock: Clock,
  ) {
    const now = () => clock.now().getTime();
    this.refreshes = new TtlCache({ max: MAX_CACHED_ACCOUNTS, freshForMs: REFRESH_INTERVAL_MS, now });
  }

  /**
   * Throws `invalid` if the AWS account is in the SMS sandbox and the number, in E.164, is not verified there: SNS
   * would accept the message and deliver nothing. If SNS does not answer in time, the stored status counts; without
   * one, every number is allowed.
   */
  async requireReachable(accountId: string, provider: SmsConnection, number: string): Promise<void> {
    const known = await this.statuses.find(accountId);
    const status = this.isStale(known, number) ? ((await this.refresh(accountId, provider)) ?? known) : known;
    if (!isRestricted(status, number)) return;
    throw DomainError.invalid(`${number} is not verified, and the AWS account is in the SMS sandbox`);
  }

  private isStale(known: SmsAccountStatus | null, number: string): boolean {
    if (!known) return true;
    const ageMs = this.clock.now().getTime() - known.checkedAt.getTime();
    return ageMs > (isRestricted(known, number) ? REFUSAL_STALE_AFTER_MS : STALE_AFTER_MS);
  }

  /** Null if SNS does not answer in time. */
  private refresh(accountId: string, provider: SmsConnection): Promise<SmsAccountStatus | null> {
    const key = `${accountId} ${provider.settingsAt.getTime()}`;
    return this.refreshes.get(key, () => {
      const status = this.refreshStatus.refresh(accountId, provider).catch((error: unknown) => {
        this.logger.warn(`The SMS sandbox of account ${accountId} could not be read: ${(error as Error).message}`);
        return null;
      });
      return Promise.race([status, pause(REFRESH_TIMEOUT_MS, null, { ref: false })]);
    });
  }
}

const isRestricted = (status: SmsAccountStatus | null, number: string): boolean =>
  status !== null && status.sandbox && !status.verifiedNumbers.includes(number);
