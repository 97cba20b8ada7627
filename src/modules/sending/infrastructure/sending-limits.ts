import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { sesSdk } from '../../../platform/aws/aws-sdk.js';
import { SesClients } from '../../../platform/aws/aws-clients.js';
import type { AwsAccess, SmsProvider } from '../../../shared/account-provider.js';
import type { Channel } from '../../../shared/channel.js';
import { ProviderDirectory } from '../../provider-settings/index.js';

const REFRESH_AFTER_MS = 5 * 60_000;
const REFRESH_AFTER_FAILURE_MS = 30_000;
/** Mail does not wait longer for the reply of SES. */
const REPLY_TIMEOUT_MS = 2_000;
const MAX_CACHED = 1_000;
/** Used without the permission ses:GetAccount: the rate that SES grants an account that leaves the sandbox. */
const DEFAULT_RATE = 14;

export interface SendingLimit {
  /** Messages per second. */
  rate: number;
  /** Accounts that send through the same AWS account and region (for SMS, from the same number) share the limit. */
  key: string;
}

/** Finds how many messages per second an account's provider accepts on a channel. */
@Injectable()
export class SendingLimits {
  private readonly logger = new Logger(SendingLimits.name);
  private readonly rates = new LRUCache<string, number, AwsAccess>({
    max: MAX_CACHED,
    ttl: REFRESH_AFTER_MS,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, previous, { context, options }) => {
      const rate = await this.readRate(context);
      if (rate === null) options.ttl = REFRESH_AFTER_FAILURE_MS;
      return rate ?? previous ?? DEFAULT_RATE;
    },
  });

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly clients: SesClients,
  ) {}

  /** Null if there is no limit. */
  async find(accountId: string, channel: Channel): Promise<SendingLimit | null> {
    if (channel === 'sms') return smsLimit(await this.providers.findSms(accountId));
    const provider = await this.providers.find(accountId);
    if (provider?.kind === 'ses') return this.sesLimit(provider.access);
    const rate = provider?.kind === 'smtp' ? provider.maxSendRate : null;
    return rate === null ? null : { rate, key: accountId };
  }

  /** Uses the previous rate while it is refreshed. */
  private async sesLimit(access: AwsAccess): Promise<SendingLimit> {
    const key = `ses ${awsOwner(access)}`;
    const rate = this.rates.get(key) ?? (await this.fetchRate(key, access));
    return { rate, key };
  }

  private async fetchRate(key: string, access: AwsAccess): Promise<number> {
    const fetched = this.rates.fetch(key, { context: access, allowStale: true });
    return (await Promise.race([fetched, pause(REPLY_TIMEOUT_MS, undefined, { ref: false })])) ?? DEFAULT_RATE;
  }

  /** Null if SES refuses or does not reply. */
  private async readRate(access: AwsAccess): Promise<number | null> {
    try {
      const { SendQuota } = await this.clients.of(access).send(new (sesSdk().GetAccountCommand)({}));
      return SendQuota?.MaxSendRate || DEFAULT_RATE;
    } catch (error) {
      this.logger.warn(`The sending rate of SES in ${access.region} could not be read: ${(error as Error).message}`);
      return null;
    }
  }
}

const awsOwner = ({ region, credentials }: AwsAccess): string => `${region} ${credentials?.accessKeyId ?? ''}`;

const smsLimit = (provider: SmsProvider | null): SendingLimit | null =>
  provider && {
    rate: provider.maxSendRate,
    key: `sns ${awsOwner(provider.access)} ${provider.originationNumber ?? ''}`,
  };
