import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { SmsAccountFailure, type SmsConnection } from '../../../providers/index.js';
import { DomainError, ProviderFailure } from '../../../shared/domain-error.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { OptOutSyncRepository, type OptOutSync } from './ports/opt-out-sync.repository.js';
import { SyncOptOuts } from './sync-opt-outs.service.js';

/** Shorter than the timeouts of clients and proxies. */
const RESPONSE_TIMEOUT_MS = 8_000;
const POLL_INTERVAL_MS = 200;
const NO_LIST = 'The SMS provider of this account has no opt-out list to read: it reports opt-outs when they occur';

@Injectable()
export class ForceOptOutSync {
  private readonly logger = new Logger(ForceOptOutSync.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly syncOptOuts: SyncOptOuts,
    private readonly syncs: OptOutSyncRepository,
  ) {}

  /**
   * Resolves when a pass is complete, including one that another caller has begun. If that takes too long, resolves
   * with the progress so far and without `syncedAt`, and the pass continues. Throws a provider error if no page was
   * read, and `invalid` if the provider has no list.
   */
  async sync(accountId: string): Promise<{ sync: OptOutSync; isComplete: boolean }> {
    const provider = await this.providers.findSms(accountId);
    if (!provider) throw DomainError.invalid('SMS is not enabled for this account');
    if (!this.syncOptOuts.hasList(provider)) throw DomainError.invalid(NO_LIST);
    const deadline = performance.now() + RESPONSE_TIMEOUT_MS;
    const before = await this.syncs.get(accountId);
    const totalBefore = before.isUnfinished ? before.total : 0;
    for (;;) {
      const { isRunning, ...state } = await this.syncs.get(accountId);
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
    return toSync(await this.syncs.get(accountId));
  }

  private async runUntil(deadline: number, accountId: string, provider: SmsConnection) {
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
      throw new ProviderFailure(error.message);
    } finally {
      timeout.abort();
    }
  }
}

const toSync = ({ added, total, syncedAt, error }: OptOutSync): OptOutSync => ({ added, total, syncedAt, error });

/** The progress of an unfinished pass. Throws a provider error if it has read no page since it was at `totalBefore`. */
function requireProgress(totalBefore: number, sync: OptOutSync): OptOutSync {
  if (sync.error !== null) throw new ProviderFailure(sync.error);
  if (sync.total === totalBefore || sync.total === 0)
    throw new ProviderFailure(`no page of the opt-out list was read within ${RESPONSE_TIMEOUT_MS / 1_000} seconds`);
  return { ...sync, syncedAt: null };
}
