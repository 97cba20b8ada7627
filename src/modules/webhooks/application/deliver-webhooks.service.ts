import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { Random } from '../../../shared/ports/random.js';
import { Pace } from '../domain/pace.js';
import { judge, type Verdict } from '../domain/verdict.js';
import type { AttemptResult, ClaimedDelivery } from '../domain/webhook-delivery.js';
import { MakeAttempt } from './make-attempt.service.js';
import { WebhookLedger } from './ports/webhook-ledger.js';

/** Attempts under way in a process beyond which each endpoint keeps one place: it bounds sockets and memory. */
const MANY_UNDER_WAY = 1_000;
/** Attempts of one endpoint whose outcome the database has not taken yet. */
const MAX_UNRECORDED = 200;
/** Of an endpoint that has more than it has places for: what becomes free meanwhile is claimed together. */
const BETWEEN_CLAIMS_MS = 4;

export interface AttemptReport {
  delivery: ClaimedDelivery;
  statusCode: number | null;
  durationMs: number;
  /** `claim_lost`: the delivery is gone, or the lease ran out and another worker has it. */
  outcome: Verdict['state'] | 'claim_lost';
}

/** What a process has to do with one endpoint. */
interface Line {
  readonly pace: Pace;
  /** Until their outcomes are recorded. */
  readonly underWay: Set<Promise<void>>;
  /** Of these, the attempts that wait for an answer: they take the places. */
  posting: number;
  /** Somebody rang since the endpoint was last asked for what is due. */
  rung: boolean;
  working: boolean;
  onFreed: (() => void) | null;
}

/** Delivers what is due, each endpoint in a line of its own, so that none waits for another. */
@Injectable()
export class DeliverWebhooks {
  private readonly logger = new Logger(DeliverWebhooks.name);
  private readonly lines = new Map<string, Line>();
  private readonly inFlight = new Set<ClaimedDelivery>();

  constructor(
    private readonly ledger: WebhookLedger,
    private readonly makeAttempt: MakeAttempt,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * Attempts what is due for the endpoint until nothing is, and tells of each attempt when it is recorded; a line that is at
   * work already takes that over. Once `stopping` is aborted no attempt begins any more; those under way are waited for.
   */
  async drain(endpointId: string, stopping: AbortSignal, tell: (report: AttemptReport) => void): Promise<void> {
    const line = this.lines.get(endpointId) ?? newLine();
    this.lines.set(endpointId, line);
    line.rung = true;
    if (!line.working) await this.work(endpointId, line, stopping, tell);
  }

  /** Keeps what is in flight ours; to be called several times within the length of a lease. */
  renewLeases(): Promise<void> {
    return this.ledger.renew([...this.inFlight]);
  }

  private async work(
    endpointId: string,
    line: Line,
    stopping: AbortSignal,
    tell: (report: AttemptReport) => void,
  ): Promise<void> {
    line.working = true;
    try {
      while (line.rung && !stopping.aborted) await this.takeTurn(endpointId, line, tell);
    } finally {
      line.working = false;
      await Promise.all(line.underWay);
      this.letGo(endpointId, line);
    }
  }

  /** Unless it was rung again meanwhile. */
  private letGo(endpointId: string, line: Line): void {
    if (!line.working && line.underWay.size === 0 && this.lines.get(endpointId) === line) this.lines.delete(endpointId);
  }

  private async takeTurn(endpointId: string, line: Line, tell: (report: AttemptReport) => void): Promise<void> {
    const places = this.placesOf(line);
    if (places <= 0) {
      await new Promise<void>((resolve) => (line.onFreed = resolve));
      await pause(BETWEEN_CLAIMS_MS);
      return;
    }
    line.rung = false;
    const claimed = await this.ledger.claimAcrossAccounts(endpointId, places);
    for (const delivery of claimed) this.begin(line, delivery, tell);
    if (claimed.length === places) line.rung = true; // there may be more
  }

  private placesOf({ pace, posting, underWay }: Line): number {
    const limit = this.inFlight.size < MANY_UNDER_WAY ? pace.limit : 1;
    return Math.min(limit - posting, MAX_UNRECORDED - underWay.size);
  }

  private begin(line: Line, delivery: ClaimedDelivery, tell: (report: AttemptReport) => void): void {
    this.inFlight.add(delivery);
    const work = this.attempt(line, delivery, tell)
      .catch((error: unknown) => {
        this.logger.error(`Webhook delivery ${delivery.id}: ${(error as Error).message}`, (error as Error).stack);
      })
      .finally(() => {
        this.inFlight.delete(delivery);
        line.underWay.delete(work);
        line.onFreed?.();
      });
    line.underWay.add(work);
  }

  private async attempt(line: Line, delivery: ClaimedDelivery, tell: (report: AttemptReport) => void): Promise<void> {
    const { attemptId: id, number, event, body } = delivery;
    line.posting += 1;
    const result = await this.makeAttempt.make(delivery, { id, number, event, body }).catch((error: unknown) => {
      this.logger.error(`Webhook delivery ${delivery.id}: ${(error as Error).message}`, (error as Error).stack);
      return this.faultOfOurs();
    });
    const verdict = judge(result, number, this.clock.now(), this.random.next());
    line.posting -= 1;
    line.pace.note(verdict.state === 'delivered');
    line.onFreed?.();
    const isRecorded = await this.ledger.record(delivery, result, verdict);
    const { statusCode, durationMs } = result;
    tell({ delivery, statusCode, durationMs, outcome: isRecorded ? verdict.state : 'claim_lost' });
  }

  /** Tried again like a fault of the receiver's, so that a mended service still delivers. */
  private faultOfOurs(): AttemptResult {
    const answer = { statusCode: null, retryAfter: null, responseBody: null, error: 'Internal error' };
    return { startedAt: this.clock.now(), durationMs: 0, requestHeaders: {}, ...answer };
  }
}

const newLine = (): Line => ({
  pace: new Pace(),
  underWay: new Set(),
  posting: 0,
  rung: false,
  working: false,
  onFreed: null,
});
