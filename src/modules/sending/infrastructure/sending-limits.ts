import { setTimeout as pause } from 'node:timers/promises';

import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { Injectable, Logger } from '@nestjs/common';

import { SesClients } from '../../../platform/aws/ses-clients.js';
import type { AwsAccess, SmsProvider } from '../../../shared/account-provider.js';
import type { Channel } from '../../../shared/channel.js';
import { ProviderDirectory } from '../../accounts/index.js';

const REFRESH_AFTER_MS = 5 * 60_000;
const REFRESH_AFTER_FAILURE_MS = 30_000;
/** Mail does not wait longer for the reply of SES. */
const FIRST_REPLY_TIMEOUT_MS = 2_000;
const MAX_CACHED = 1_000;
/** Used without the permission ses:GetAccount: the rate that SES grants an account that leaves the sandbox. */
const DEFAULT_RATE = 14;

export interface SendingLimit {
  /** Messages per second. */
  rate: number;
  /** Accounts that send through the same AWS account and region (for SMS, from the same number) share the limit. */
  subject: string;
}

interface CachedRate {
  rate: number;
  refreshAt: number;
}

/** Finds how many messages per second an account's provider accepts on a channel. */
@Injectable()
export class SendingLimits {
  private readonly logger = new Logger(SendingLimits.name);
  private readonly cached = new Map<string, CachedRate>();
  private readonly refreshing = new Map<string, Promise<void>>();

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly clients: SesClients,
  ) {}

  /** Null if there is no limit. */
  async find(accountId: string, channel: Channel): Promise<SendingLimit | null> {
    if (channel === 'sms') return smsLimit(await this.providers.findSms(accountId));
    const provider = await this.providers.find(accountId);
    if (provider?.kind === 'ses') return this.sesLimit(provider.access);
    const rate = provider?.maxSendRate ?? null;
    return rate === null ? null : { rate, subject: accountId };
  }

  /** Returns the cached rate, even a stale one, while it is refreshed. */
  private async sesLimit(access: AwsAccess): Promise<SendingLimit> {
    const subject = `ses ${awsOwner(access)}`;
    const cached = this.cached.get(subject);
    if (!cached || cached.refreshAt <= performance.now()) {
      const refreshed = this.refreshing.get(subject) ?? this.refresh(subject, access);
      this.refreshing.set(subject, refreshed);
      if (!cached) await Promise.race([refreshed, pause(FIRST_REPLY_TIMEOUT_MS, undefined, { ref: false })]);
    }
    return { rate: this.cached.get(subject)?.rate ?? DEFAULT_RATE, subject };
  }

  private async refresh(subject: string, access: AwsAccess): Promise<void> {
    if (this.cached.size >= MAX_CACHED) this.cached.clear();
    try {
      const { SendQuota } = await this.clients.of(access).send(new GetAccountCommand({}));
      const rate = SendQuota?.MaxSendRate || DEFAULT_RATE;
      this.cached.set(subject, { rate, refreshAt: performance.now() + REFRESH_AFTER_MS });
    } catch (error) {
      this.logger.warn(`The sending rate of SES in ${access.region} could not be read: ${(error as Error).message}`);
      const rate = this.cached.get(subject)?.rate ?? DEFAULT_RATE;
      this.cached.set(subject, { rate, refreshAt: performance.now() + REFRESH_AFTER_FAILURE_MS });
    } finally {
      this.refreshing.delete(subject);
    }
  }
}

const awsOwner = ({ region, credentials }: AwsAccess): string => `${region} ${credentials?.accessKeyId ?? ''}`;

const smsLimit = (provider: SmsProvider | null): SendingLimit | null =>
  provider && {
    rate: provider.maxSendRate,
    subject: `sns ${awsOwner(provider.access)} ${provider.originationNumber ?? ''}`,
  };
