import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

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
/** Numbers, before what is known of them is kept. */
const ASKED_TOGETHER = 100;

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
  private readonly logger = new Logger(SyncOptOuts.name);
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
    while (performance.now() < until && (await this.isTurn(list, 'page'))) {
      const page = await this.ask(list, reading, mayRestart);
      if (page === 'unknown token') {
        mayRestart = false;
        reading = await this.progress.restart(reading, this.clock.now());
      } else {
        await this.keepOptOuts.keepPage(reading, page);
        if (page.nextToken === null) {
          await this.settleMissing(list, reading, until);
          return { outcome: 'complete', sync: await this.keepOptOuts.complete(reading) };
        }
        reading = { ...reading, nextToken: page.nextToken };
      }
    }
    return { outcome: 'left' };
  }

  /** The first try is made at once, every other one in a turn of its own. */
  private async ask(
    list: OptOutList,
    reading: OptOutReading,
    mayRestart: boolean,
  ): Promise<OptOutPage | 'unknown token'> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.gateway.listOptedOut(list.access, reading.nextToken);
      } catch (error) {
        const kind = error instanceof SmsAccountFailure ? error.kind : 'refused';
        if (kind === 'token' && mayRestart) return 'unknown token';
        await this.progress.recordFailure(reading, (error as Error).message);
        if (kind !== 'later' || tries === MAX_TRIES) throw error;
        await this.rest(this.pace.msPerPage * (2 ** tries - 1));
        if (!(await this.isTurn(list, 'page'))) throw error;
      }
    }
  }

  /**
   * A list that gets shorter while it is read moves under the pages: who moves to one that was read is missing, and still
   * on it. So nobody is lifted before the provider was asked about the number. Who is not asked about in time stays until
   * the next pass.
   */
  private async settleMissing(list: OptOutList, reading: OptOutReading, until: number): Promise<void> {
    for (;;) {
      const missing = await this.progress.findMissing(reading, ASKED_TOGETHER);
      const known = await this.askAbout(list, missing, until);
      const count = known.gone.length + known.listed.length;
      if (count > 0) await this.keepOptOuts.settle(reading, known);
      if (count < ASKED_TOGETHER) return;
    }
  }

  private async askAbout(list: OptOutList, numbers: readonly string[], until: number) {
    const known = { gone: [] as string[], listed: [] as string[] };
    for (const number of numbers) {
      if (performance.now() >= until || !(await this.isTurn(list, 'number'))) break;
      try {
        const isOptedOut = await this.gateway.isOptedOut(list.access, number);
        known[isOptedOut ? 'listed' : 'gone'].push(number);
      } catch (error) {
        if (!(error instanceof SmsAccountFailure)) throw error;
        this.logger.warn(`Opt-outs that are not listed any more are not lifted yet: ${error.message}`);
        break;
      }
    }
    return known;
  }

  /** Waits for a turn to ask; false: stopping. */
  private async isTurn({ source }: OptOutList, subject: 'page' | 'number'): Promise<boolean> {
    await this.rest(this.stopping.signal.aborted ? 0 : await this.pace.takeTurn(source, subject));
    return !this.stopping.signal.aborted;
  }

  private async rest(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined); // stopping
  }
}
