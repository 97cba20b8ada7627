import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { Injectable, Logger } from '@nestjs/common';

import { SesClients } from '../../../platform/aws/ses-clients.js';
import type { AwsAccess } from '../../../shared/account-provider.js';
import { ProviderDirectory } from '../../accounts/index.js';

const ASK_AGAIN_AFTER_MS = 5 * 60_000;
const ASK_AGAIN_AFTER_FAILURE_MS = 30_000;
const MAX_REMEMBERED = 1_000;
/** Where SES does not say, for want of the permission ses:GetAccount: what it grants an account that leaves the sandbox. */
const USUAL_RATE = 14;

/** How many messages per second an account's provider takes. */
@Injectable()
export class SendingLimits {
  private readonly logger = new Logger(SendingLimits.name);
  private readonly ofSes = new Map<string, { rate: Promise<number>; until: number }>();

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly clients: SesClients,
  ) {}

  /** Null: no limit. */
  async find(accountId: string): Promise<number | null> {
    const provider = await this.providers.find(accountId);
    return provider?.kind === 'ses' ? this.maxSendRate(provider.access) : (provider?.maxSendRate ?? null);
  }

  private maxSendRate(access: AwsAccess): Promise<number> {
    const key = JSON.stringify([access.region, access.credentials?.accessKeyId]);
    const known = this.ofSes.get(key);
    const now = performance.now();
    if (known && known.until > now) return known.rate;
    if (this.ofSes.size >= MAX_REMEMBERED) this.ofSes.clear();
    const entry = { rate: Promise.resolve(USUAL_RATE), until: now + ASK_AGAIN_AFTER_MS };
    entry.rate = this.ask(access).catch(async (error: unknown) => {
      this.logger.warn(`The sending rate of SES in ${access.region} is not known: ${(error as Error).message}`);
      entry.until = performance.now() + ASK_AGAIN_AFTER_FAILURE_MS;
      return (await known?.rate) ?? USUAL_RATE;
    });
    this.ofSes.set(key, entry);
    return entry.rate;
  }

  private async ask(access: AwsAccess): Promise<number> {
    const { SendQuota } = await this.clients.of(access).send(new GetAccountCommand({}));
    return SendQuota?.MaxSendRate || USUAL_RATE;
  }
}
