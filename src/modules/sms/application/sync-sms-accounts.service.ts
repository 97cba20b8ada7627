import { Injectable, Logger } from '@nestjs/common';

import { forEachConcurrently } from '../../../concurrency/for-each-concurrently.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { RefreshSmsAccountStatus } from './refresh-sms-account-status.service.js';
import { SyncOptOuts } from './sync-opt-outs.service.js';

const CONCURRENCY = 10;

/** Refreshes the status and the opt-outs of every account that sends SMS. */
@Injectable()
export class SyncSmsAccounts {
  private readonly logger = new Logger(SyncSmsAccounts.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly refreshStatus: RefreshSmsAccountStatus,
    private readonly syncOptOuts: SyncOptOuts,
  ) {}

  /** An account that the provider refuses, or that has a long list, delays no other. */
  async run(): Promise<void> {
    const accountIds = await this.providers.listSmsAcrossAccounts();
    await forEachConcurrently(accountIds, CONCURRENCY, (accountId) => this.syncOne(accountId));
  }

  private async syncOne(accountId: string): Promise<void> {
    const attempt = async (what: string, work: () => Promise<unknown>) => {
      try {
        await work();
      } catch (error) {
        this.logger.warn(`The ${what} of account ${accountId} could not be read: ${(error as Error).message}`);
      }
    };
    await attempt('settings', async () => {
      const provider = await this.providers.findSms(accountId);
      if (!provider) return;
      await attempt('SMS status', () => this.refreshStatus.refresh(accountId, provider));
      await attempt('opt-out list', () => this.syncOptOuts.run(accountId, provider));
    });
  }
}
