import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

import {
  type OptOutList,
  type OptOutPage,
  Providers,
  SmsAccountFailure,
  type SmsConnection,
} from '../../../providers/index.js';
import { Clock } from '../../../shared/ports/clock.js';
import { ApplyOptOuts } from './apply-opt-outs.service.js';
import {
  LeaseLostError,
  type OptOutSync,
  OptOutSyncRepository,
  type SyncPass,
} from './ports/opt-out-sync.repository.js';
import { OptedOutNumbers } from './ports/opted-out-numbers.js';
import { SyncRate } from './ports/sync-rate.js';

/** The next scheduled run resumes a pass that takes longer. */
const MAX_RUN_MS = 10 * 60_000;
/** Attempts to read one page; each delay is twice the one before. */
const MAX_ATTEMPTS = 6;
const NUMBERS_PER_CHECK = 100;
/** A page whose request times out takes longer than the lease, so that it is renewed independently of pages. */
const RENEW_EVERY_MS = 10_000;

/** `busy`: another run holds the lease; `unfinished`: a later run resumes the pass; `no list`: nothing to read. */
export type SyncOutcome = { outcome: 'complete'; sync: OptOutSync } | { outcome: 'busy' | 'unfinished' | 'no list' };

type NamedList = OptOutList & {
  /** The name of the provider. */
  kind: string;
};

/** Reads the provider's opt-out list, page by page within the rate limit, and resumes the pass of an earlier run. */
@Injectable()
export class SyncOptOuts implements OnModuleDestroy {
  private readonly logger = new Logger(SyncOptOuts.name);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly providers: Providers,
    private readonly syncs: OptOutSyncRepository,
    private readonly optedOut: OptedOutNumbers,
    private readonly applyOptOuts: ApplyOptOuts,
    private readonly rate: SyncRate,
    private readonly clock: Clock,
  ) {}

  /** Whether the provider has an opt-out list. One without reports opt-outs when they occur or refuses the message. */
  hasList(connection: SmsConnection): boolean {
    return this.listOf(connection) !== null;
  }

  /** Throws SmsAccountFailure if the provider keeps refusing; the pages read before are kept. */
  async run(accountId: string, connection: SmsConnection): Promise<SyncOutcome> {
    const list = this.listOf(connection);
    if (!list) return { outcome: 'no list' };
    const pass = await this.syncs.claim(accountId, list.source, this.clock.now());
    if (!pass) return { outcome: 'busy' };
    const run = this.runPass({ ...list, kind: connection.kind }, pass).finally(() => this.running.delete(run));
    this.running.add(run);
    return run;
  }

  /** Runs before the server waits for its last requests: one of them may be waiting for a sync. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }

  private listOf(connection: SmsConnection): OptOutList | null {
    return this.providers.sms(connection).optOutsOf?.(connection) ?? null;
  }

  private async runPass(list: NamedList, pass: SyncPass): Promise<SyncOutcome> {
    const warnOf = (step: string) => (error: Error) => {
      this.logger.warn(`The opt-out sync of account ${pass.accountId} could not ${step} its lease: ${error.message}`);
    };
    const renewal = setInterval(() => void this.syncs.renew(pass).catch(warnOf('renew')), RENEW_EVERY_MS);
    try {
      return await this.readPages(list, pass);
    } catch (error) {
      if (error instanceof LeaseLostError) return { outcome: 'unfinished' };
      throw error;
    } finally {
      clearInterval(renewal);
      await this.syncs.release(pass).catch(warnOf('release')); // it ends by itself
    }
  }

  private async readPages(list: NamedList, claimed: SyncPass): Promise<SyncOutcome> {
    const deadline = performance.now() + MAX_RUN_MS;
    let pass = claimed;
    let mayRestart = true;
    while (performance.now() < deadline && (await this.waitForSlot(list, 'page'))) {
      const page = await this.readPage(list, pass, mayRestart);
      if (page === 'invalid token') {
        mayRestart = false;
        pass = await this.syncs.restart(pass, this.clock.now());
      } else {
        await this.applyOptOuts.applyPage(pass, page);
        if (page.nextToken === null) {
          await this.liftMissing(list, pass, deadline);
          return { outcome: 'complete', sync: await this.syncs.complete(pass, this.clock.now()) };
        }
        pass = { ...pass, nextToken: page.nextToken };
      }
    }
    return { outcome: 'unfinished' };
  }

  /** The first attempt uses the slot of the caller; every other one waits for its own. */
  private async readPage(list: NamedList, pass: SyncPass, mayRestart: boolean): Promise<OptOutPage | 'invalid token'> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await list.listPage(pass.nextToken);
      } catch (error) {
        const kind = error instanceof SmsAccountFailure ? error.kind : 'refused';
        if (kind === 'token' && mayRestart) return 'invalid token';
        await this.syncs.recordFailure(pass, (error as Error).message);
        if (kind !== 'later' || attempt === MAX_ATTEMPTS) throw error;
        await this.sleep(this.rate.pageIntervalMs * (2 ** attempt - 1));
        if (!(await this.waitForSlot(list, 'page'))) throw error;
      }
    }
  }

  /**
   * A list that gets shorter during a pass shifts its pages, so a number that moved to a page already read is missing
   * although it is still listed. So each missing number is checked with the provider before its suppression is lifted;
   * numbers that are not checked in time wait for the next pass.
   */
  private async liftMissing(list: NamedList, pass: SyncPass, deadline: number): Promise<void> {
    for (;;) {
      const missing = await this.optedOut.findMissing(pass, NUMBERS_PER_CHECK);
      const checked = await this.checkNumbers(list, missing, deadline);
      const count = checked.gone.length + checked.listed.length;
      if (count > 0) await this.applyOptOuts.applyMissing(pass, checked);
      if (count < NUMBERS_PER_CHECK) return;
    }
  }

  private async checkNumbers(list: NamedList, numbers: readonly string[], deadline: number) {
    const checked = { gone: [] as string[], listed: [] as string[] };
    for (const number of numbers) {
      if (performance.now() >= deadline || !(await this.waitForSlot(list, 'number'))) break;
      try {
        const isOptedOut = await list.isOptedOut(number);
        checked[isOptedOut ? 'listed' : 'gone'].push(number);
      } catch (error) {
        if (!(error instanceof SmsAccountFailure)) throw error;
        this.logger.warn(`Opt-outs that are no longer listed are not lifted yet: ${error.message}`);
        break;
      }
    }
    return checked;
  }

  /** False if the process is stopping. */
  private async waitForSlot({ kind, source }: NamedList, request: 'page' | 'number'): Promise<boolean> {
    await this.sleep(this.stopping.signal.aborted ? 0 : await this.rate.reserve(`${kind} opt-outs ${source}`, request));
    return !this.stopping.signal.aborted;
  }

  private async sleep(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined); // stopping
  }
}
