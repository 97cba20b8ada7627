import { setTimeout as pause } from 'node:timers/promises';

import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { Injectable, Logger } from '@nestjs/common';

import { SesClients } from '../../../platform/aws/ses-clients.js';
import type { AwsAccess, SmsProvider } from '../../../shared/account-provider.js';
import type { Channel } from '../../../shared/channel.js';
import { ProviderDirectory } from '../../provider-settings/index.js';

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

interface KnownRate {
  rate: number;
  askAgainAt: number;
}

/** How many messages per second an account's provider of a channel takes. */
@Injectable()
export class SendingLimits {
  private readonly logger = new Logger(SendingLimits.name);
  private readonly known = new Map<string, KnownRate>();
  private readonly asking = new Map<string, Promise<void>>();

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

  /** What was known last is used while SES is asked again. */
  private async ofSes(access: AwsAccess): Promise<SendingLimit> {
    const subject = `ses ${ownerOf(access)}`;
    const known = this.known.get(subject);
    if (!known || known.askAgainAt <= performance.now()) {
      const asked = this.asking.get(subject) ?? this.ask(subject, access);
      this.asking.set(subject, asked);
      if (!known) await Promise.race([asked, pause(ANSWERED_WITHIN_MS, undefined, { ref: false })]);
    }
    return { rate: this.known.get(subject)?.rate ?? USUAL_RATE, subject };
  }

  private async ask(subject: string, access: AwsAccess): Promise<void> {
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    try {
      const { SendQuota } = await this.clients.of(access).send(new GetAccountCommand({}));
      const rate = SendQuota?.MaxSendRate || USUAL_RATE;
      this.known.set(subject, { rate, askAgainAt: performance.now() + ASK_AGAIN_AFTER_MS });
    } catch (error) {
      this.logger.warn(`The sending rate of SES in ${access.region} is not known: ${(error as Error).message}`);
      const rate = this.known.get(subject)?.rate ?? USUAL_RATE;
      this.known.set(subject, { rate, askAgainAt: performance.now() + ASK_AGAIN_AFTER_FAILURE_MS });
    } finally {
      this.asking.delete(subject);
    }
  }
}

const ownerOf = ({ region, credentials }: AwsAccess): string => `${region} ${credentials?.accessKeyId ?? ''}`;

const ofSms = (provider: SmsProvider | null): SendingLimit | null =>
  provider && {
    rate: provider.maxSendRate,
    subject: `sns ${ownerOf(provider.access)} ${provider.originationNumber ?? ''}`,
  };
