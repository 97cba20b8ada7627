import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { SmsProvider } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { OptOutSyncRepository, type OptOutSync } from './ports/opt-out-sync.repository.js';
import { SmsAccountFailure } from './ports/sms-account-gateway.js';
import { SyncOptOuts } from './sync-opt-outs.service.js';

/** Shorter than the timeouts of clients and proxies. */
const RESPONSE_TIMEOUT_MS = 8_000;
const POLL_INTERVAL_MS = 200;

@Injectable()
export class ForceOptOutSync {
  private readonly logger = new Logger(ForceOptOutSync.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly syncOptOuts: SyncOptOuts,
    private readonly syncs: OptOutSyncRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when a pass is complete, including one that another caller has begun. If that takes too long, resolves
   * with the progress so far, and the pass continues. Throws a provider error if no page was read.
   */
  async sync(accountId: string): Promise<{ sync: OptOutSync; isComplete: boolean }> {
    const provider = await this.providers.findSms(accountId);
    if (!provider) throw DomainError.invalid('SMS is not enabled for this account', 'sms_not_enabled');
    const deadline = performance.now() + RESPONSE_TIMEOUT_MS;
    const before = await this.syncs.find(accountId, this.clock.now());
    const totalBefore = before.isUnfinished ? before.total : 0;
    for (;;) {
      const { isRunning, ...state } = await this.syncs.find(accountId, this.clock.now());
      const sync = toSync(state);
      if (sync.syncedAt?.getTime() !== before.syncedAt?.getTime()) return { sync, isComplete: true };
      if (performance.now() >= deadline) return { sync: requireProgress(totalBefore, sync), isComplete: false };
      const result = isRunning ? null : await this.runUntil(deadline, accountId, provider);
      if (result?.outcome === 'complete') return { sync: result.sync, isComplete: true };
      if (result?.outcome === 'unfinished')
        return { sync: requireProgress(totalBefore, await this.find(accountId)), isComplete: false };
      await pause(POLL_INTERVAL_MS);
    }
  }

  /** The progress of the unfinished pass, or the result of the last one. */
  async find(accountId: string): Promise<OptOutSync> {
    return toSync(await this.syncs.find(accountId, this.clock.now()));
  }

  private async runUntil(deadline: number, accountId: string, provider: SmsProvider) {
    const run = this.syncOptOuts.run(accountId, provider);
    run.catch((error: unknown) => {
      this.logger.warn(`The opt-out list of account ${accountId} could not be read: ${(error as Error).message}`);
    });
    const timeout = new AbortController();
    const timedOut = pause(Math.max(0, deadline - performance.now()), { outcome: 'unfinished' } as const, {
      signal: timeout.signal,
    });
    timedOut.catch(() => undefined); // aborted below
    try {
      return await Promise.race([run, timedOut]);
    } catch (error) {
      if (!(error instanceof SmsAccountFailure)) throw error;
      throw providerError(error.message);
    } finally {
      timeout.abort();
    }
  }
}

const toSync = ({ added, total, syncedAt, error }: OptOutSync): OptOutSync => ({ added, total, syncedAt, error });

/** Throws a provider error if the pass has read no page since it was at `totalBefore`. */
function requireProgress(totalBefore: number, sync: OptOutSync): OptOutSync {
  if (sync.error !== null) throw providerError(sync.error);
  if (sync.total === totalBefore || sync.total === 0)
    throw providerError(`no page of the opt-out list was read within ${RESPONSE_TIMEOUT_MS / 1_000} seconds`);
  return sync;
}

const providerError = (detail: string): DomainError =>
  new DomainError('provider', 'sms_provider', `Provider error: ${detail}`);
