import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { SmsProvider } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { ProviderDirectory } from '../../accounts/index.js';
import { OptOutProgress, type OptOutSync } from './ports/opt-out-progress.js';
import { SmsAccountFailure } from './ports/sms-account-gateway.js';
import { SyncOptOuts } from './sync-opt-outs.service.js';

/** Less than people, proxies and clients wait for an answer. */
const ANSWERED_WITHIN_MS = 8_000;
const LOOK_AGAIN_AFTER_MS = 200;

@Injectable()
export class ForceOptOutSync {
  private readonly logger = new Logger(ForceOptOutSync.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly syncOptOuts: SyncOptOuts,
    private readonly progress: OptOutProgress,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when a pass is complete, be it one that was under way already; of a list that takes longer to read with how far
   * it has come, and the reading goes on. Throws a provider error where it has not come on at all.
   */
  async sync(accountId: string): Promise<{ sync: OptOutSync; isComplete: boolean }> {
    const provider = await this.providers.findSms(accountId);
    if (!provider) throw DomainError.invalid('SMS is not enabled for this account', 'sms_not_enabled');
    const askedAt = this.clock.now();
    const deadline = performance.now() + ANSWERED_WITHIN_MS;
    const before = await this.find(accountId);
    for (;;) {
      const { isBeingRead, ...sync } = await this.progress.find(accountId, this.clock.now());
      if (sync.syncedAt !== null && sync.syncedAt >= askedAt) return { sync, isComplete: true };
      if (performance.now() >= deadline) return { sync: requireProgress(before, sync), isComplete: false };
      const result = isBeingRead ? null : await this.runUntil(deadline, accountId, provider);
      if (result?.outcome === 'complete') return { sync: result.sync, isComplete: true };
      if (result?.outcome === 'left')
        return { sync: requireProgress(before, await this.find(accountId)), isComplete: false };
      await pause(LOOK_AGAIN_AFTER_MS);
    }
  }

  /** Of the pass under way, or of the last one. */
  async find(accountId: string): Promise<OptOutSync> {
    const { added, total, syncedAt, error } = await this.progress.find(accountId, this.clock.now());
    return { added, total, syncedAt, error };
  }

  private async runUntil(deadline: number, accountId: string, provider: SmsProvider) {
    const run = this.syncOptOuts.run(accountId, provider);
    run.catch((error: unknown) => {
      this.logger.warn(`The opt-out list of account ${accountId} was not read: ${(error as Error).message}`);
    });
    const given = new AbortController();
    const left = pause(deadline - performance.now(), { outcome: 'left' } as const, { signal: given.signal });
    left.catch(() => undefined); // not needed any more
    try {
      return await Promise.race([run, left]);
    } catch (error) {
      if (!(error instanceof SmsAccountFailure)) throw error;
      throw providerError(error.message);
    } finally {
      given.abort();
    }
  }
}

/** A list that takes longer than a request is read on; one of which nothing was read meanwhile is not being read. */
function requireProgress(before: OptOutSync, sync: OptOutSync): OptOutSync {
  if (sync.error !== null) throw providerError(sync.error);
  if (sync.total === before.total || sync.total === 0)
    throw providerError(`no page of the opt-out list was read within ${ANSWERED_WITHIN_MS / 1_000} seconds`);
  return sync;
}

const providerError = (detail: string): DomainError =>
  new DomainError('provider', 'sms_provider', `Provider error: ${detail}`);
