import { setTimeout as pause } from 'node:timers/promises';

import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { SesClients } from '../../../platform/aws/aws-clients.js';
import type { AwsAccess, SmsProvider } from '../../../shared/account-provider.js';
import type { Channel } from '../../../shared/channel.js';
import { ProviderDirectory } from '../../accounts/index.js';

const ASK_AGAIN_AFTER_MS = 5 * 60_000;
const ASK_AGAIN_AFTER_FAILURE_MS = 30_000;
/** Mail does not wait longer for the answer. */
const ANSWERED_WITHIN_MS = 2_000;
const MAX_REMEMBERED = 1_000;
/** Where SES does not say, for want of the permission ses:GetAccount: what it grants an account that leaves the sandbox. */
const USUAL_RATE = 14;

export interface SendingLimit {
  /** Messages per second. */
  rate: number;
  /** Whose limit it is: accounts that send through one AWS account and region share it, for SMS those with one number. */
  subject: string;
}

/** How many messages per second an account's provider of a channel takes. */
@Injectable()
export class SendingLimits {
  private readonly logger = new Logger(SendingLimits.name);
  private readonly rates = new LRUCache<string, number, AwsAccess>({
    max: MAX_REMEMBERED,
    ttl: ASK_AGAIN_AFTER_MS,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    fetchMethod: async (_subject, previous, { context, options }) => {
      const rate = await this.askFor(context);
      if (rate === null) options.ttl = ASK_AGAIN_AFTER_FAILURE_MS;
      return rate ?? previous ?? USUAL_RATE;
    },
  });

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly clients: SesClients,
  ) {}

  /** Null: no limit. */
  async find(accountId: string, channel: Channel): Promise<SendingLimit | null> {
    if (channel === 'sms') return ofSms(await this.providers.findSms(accountId));
    const provider = await this.providers.find(accountId);
    if (provider?.kind === 'ses') return this.ofSes(provider.access);
    const rate = provider?.maxSendRate ?? null;
    return rate === null ? null : { rate, subject: accountId };
  }

  /** Uses the previous rate while SES is asked again. */
  private async ofSes(access: AwsAccess): Promise<SendingLimit> {
    const subject = `ses ${ownerOf(access)}`;
    const rate = this.rates.get(subject) ?? (await this.fetchRate(subject, access));
    return { rate, subject };
  }

  private async fetchRate(subject: string, access: AwsAccess): Promise<number> {
    const fetched = this.rates.fetch(subject, { context: access, allowStale: true });
    return (await Promise.race([fetched, pause(ANSWERED_WITHIN_MS, undefined, { ref: false })])) ?? USUAL_RATE;
  }

  /** Null if SES cannot be asked. */
  private async askFor(access: AwsAccess): Promise<number | null> {
    try {
      const { SendQuota } = await this.clients.of(access).send(new GetAccountCommand({}));
      return SendQuota?.MaxSendRate || USUAL_RATE;
    } catch (error) {
      this.logger.warn(`The sending rate of SES in ${access.region} is not known: ${(error as Error).message}`);
      return null;
    }
  }
}

const ownerOf = ({ region, credentials }: AwsAccess): string => `${region} ${credentials?.accessKeyId ?? ''}`;

const ofSms = (provider: SmsProvider | null): SendingLimit | null =>
  provider && {
    rate: provider.maxSendRate,
    subject: `sns ${ownerOf(provider.access)} ${provider.originationNumber ?? ''}`,
  };
