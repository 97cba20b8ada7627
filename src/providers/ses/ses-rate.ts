import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { DEFAULT_SES_RATE_PER_SECOND, SES_RATE_KEPT_MS } from '../../config/limits.js';
import { sesSdk } from '../../platform/aws/aws-sdk.js';
import { awsOwner } from '../../platform/aws/aws-owner.js';
import { SesClients } from '../../platform/aws/aws-clients.js';
import type { AwsAccess } from '../../shared/aws-access.js';
import type { SendingLimit } from '../capabilities/sending.js';

const REFRESH_AFTER_FAILURE_MS = 30_000;
/** The time limit for the reply of SES: mail does not wait longer. */
const REPLY_TIMEOUT_MS = 2_000;
const MAX_CACHED = 1_000;
/** The minimum that accounts may set, too. */
const MIN_RATE = 0.1;

/** Finds how many messages per second SES accepts from an AWS account in a region. */
@Injectable()
export class SesRate {
  private readonly logger = new Logger(SesRate.name);
  private readonly rates = new LRUCache<string, number, AwsAccess>({
    max: MAX_CACHED,
    ttl: SES_RATE_KEPT_MS,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, previous, { context, options }) => {
      const rate = await this.readRate(context);
      if (rate === null) options.ttl = REFRESH_AFTER_FAILURE_MS;
      return rate ?? previous ?? DEFAULT_SES_RATE_PER_SECOND;
    },
  });

  constructor(private readonly clients: SesClients) {}

  /** Returns the limit. The previous rate is used while it is refreshed. */
  async limitOf(access: AwsAccess): Promise<SendingLimit> {
    const key = `ses ${awsOwner(access)}`;
    const rate = this.rates.get(key) ?? (await this.fetchRate(key, access));
    return { rate, key };
  }

  private async fetchRate(key: string, access: AwsAccess): Promise<number> {
    const fetched = this.rates.fetch(key, { context: access, allowStale: true });
    return (
      (await Promise.race([fetched, pause(REPLY_TIMEOUT_MS, undefined, { ref: false })])) ?? DEFAULT_SES_RATE_PER_SECOND
    );
  }

  /** Returns null if SES refuses or does not reply. */
  private async readRate(access: AwsAccess): Promise<number | null> {
    try {
      const { SendQuota } = await this.clients.get(access).send(new (sesSdk().GetAccountCommand)({}));
      return isRate(SendQuota?.MaxSendRate) ? SendQuota.MaxSendRate : DEFAULT_SES_RATE_PER_SECOND;
    } catch (error) {
      this.logger.warn(`The sending rate of SES in ${access.region} could not be read: ${(error as Error).message}`);
      return null;
    }
  }
}

/**
 * Whether the rate determines a time between two messages: not that of an account that may send nothing or has no
 * limit.
 */
const isRate = (rate: number | undefined): rate is number =>
  rate !== undefined && rate >= MIN_RATE && Number.isFinite(rate);
