import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import type { AwsAccess, SmsProvider } from '../../../shared/account-provider.js';
import { Clock } from '../../../shared/ports/clock.js';
import { KeepOptOuts } from './keep-opt-outs.service.js';
import { LeaseLostError, OptOutProgress, type OptOutReading, type OptOutSync } from './ports/opt-out-progress.js';
import { type OptOutPage, SmsAccountFailure, SmsAccountGateway } from './ports/sms-account-gateway.js';
import { SyncPace } from './ports/sync-pace.js';

/** Then the next run of the schedule goes on. */
const READS_FOR_MS = 10 * 60_000;
/** Of one page; each try waits twice as long as the one before. */
const MAX_TRIES = 6;

/** `busy`: another run is at it; `left`: to be gone on with later. */
export type SyncOutcome = { outcome: 'complete'; sync: OptOutSync } | { outcome: 'busy' | 'left' };

interface OptOutList {
  access: AwsAccess;
  /** Names the AWS access, without its secret. */
  source: string;
}

/** Reads the provider's opt-out list, page by page at a polite rate, and goes on where an earlier run was left. */
@Injectable()
export class SyncOptOuts implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly gateway: SmsAccountGateway,
    private readonly progress: OptOutProgress,
    private readonly keepOptOuts: KeepOptOuts,
    private readonly pace: SyncPace,
    private readonly clock: Clock,
  ) {}

  /** Throws an SmsAccountFailure where the provider goes on refusing; what was read is kept. */
  async run(accountId: string, { access }: SmsProvider): Promise<SyncOutcome> {
    const source = `${access.region} ${access.credentials?.accessKeyId ?? ''}`;
    const reading = await this.progress.begin(accountId, source, this.clock.now());
    if (!reading) return { outcome: 'busy' };
    const run = this.read({ access, source }, reading).finally(() => this.running.delete(run));
    this.running.add(run);
    return run;
  }

  /** Before the last requests are waited for: one of them may wait for this. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }

  private async read(list: OptOutList, reading: OptOutReading): Promise<SyncOutcome> {
    try {
      return await this.readOn(list, reading);
    } catch (error) {
      if (error instanceof LeaseLostError) return { outcome: 'left' };
      throw error;
    } finally {
      await this.progress.leave(reading);
    }
  }

  private async readOn(list: OptOutList, begun: OptOutReading): Promise<SyncOutcome> {
    const until = performance.now() + READS_FOR_MS;
    let reading = begun;
    let mayRestart = true;
    while (performance.now() < until && (await this.isTurn(list))) {
      const page = await this.ask(list, reading.nextToken, mayRestart);
      if (page === 'unknown token') {
        mayRestart = false;
        reading = await this.progress.restart(reading, this.clock.now());
      } else {
        await this.keepOptOuts.keepPage(reading, page);
        if (page.nextToken === null) return { outcome: 'complete', sync: await this.keepOptOuts.complete(reading) };
        reading = { ...reading, nextToken: page.nextToken };
      }
    }
    return { outcome: 'left' };
  }

  /** The first try is made at once, every other one in a turn of its own. */
  private async ask(
    list: OptOutList,
    token: string | null,
    mayRestart: boolean,
  ): Promise<OptOutPage | 'unknown token'> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.gateway.listOptedOut(list.access, token);
      } catch (error) {
        const kind = error instanceof SmsAccountFailure ? error.kind : 'refused';
        if (kind === 'token' && mayRestart) return 'unknown token';
        if (kind !== 'later' || tries === MAX_TRIES) throw error;
        await this.rest(this.pace.msPerPage * (2 ** tries - 1));
        if (!(await this.isTurn(list))) throw error;
      }
    }
  }

  /** Waits for a turn to ask; false: stopping. */
  private async isTurn({ source }: OptOutList): Promise<boolean> {
    await this.rest(this.stopping.signal.aborted ? 0 : await this.pace.takeTurn(source));
    return !this.stopping.signal.aborted;
  }

  private async rest(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined); // stopping
  }
}
