import { Injectable, Logger } from '@nestjs/common';

import { ProviderDirectory } from '../../provider-settings/index.js';
import { RefreshSmsAccountStatus } from './refresh-sms-account-status.service.js';
import { SyncOptOuts } from './sync-opt-outs.service.js';

const AT_ONCE = 10;

/** Of every account that sends SMS: what the provider says of it, and who has opted out. */
@Injectable()
export class SyncSmsAccounts {
  private readonly logger = new Logger(SyncSmsAccounts.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly refreshStanding: RefreshSmsAccountStatus,
    private readonly syncOptOuts: SyncOptOuts,
  ) {}

  /** An account that the provider refuses, or whose list is long, holds up no other. */
  async run(): Promise<void> {
    const left = (await this.providers.listSmsAcrossAccounts()).values();
    const workOff = async () => {
      for (const accountId of left) await this.syncOne(accountId);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, workOff));
  }

  private async syncOne(accountId: string): Promise<void> {
    const attempt = async (what: string, work: () => Promise<unknown>) => {
      try {
        await work();
      } catch (error) {
        this.logger.warn(`The ${what} of account ${accountId} was not read: ${(error as Error).message}`);
      }
    };
    await attempt('settings', async () => {
      const provider = await this.providers.findSms(accountId);
      if (!provider) return;
      await attempt('SMS standing', () => this.refreshStanding.refresh(accountId, provider));
      await attempt('opt-out list', () => this.syncOptOuts.run(accountId, provider));
    });
  }
}
