import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { Random } from '../../../shared/ports/random.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import { Claims } from '../domain/claims.js';
import { ConcurrencyWindow } from '../domain/concurrency-window.js';
import { judge, type Verdict } from '../domain/verdict.js';
import type { AttemptResult, ClaimedDelivery } from '../domain/webhook-delivery.js';
import { MakeAttempt } from './make-attempt.service.js';
import { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

/** Beyond which nothing is claimed ahead: with so many the claims of some endpoints keep the places of others busy. */
const ENOUGH_CLAIMED = 500;
/** Of one endpoint, those included whose outcome the database has not taken yet. */
const MAX_CLAIMED_OF_ONE = 400;
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
  readonly endpointId: string;
  /** Null before the first claim. */
  accountId: string | null;
  readonly stopping: AbortSignal;
  readonly tell: (report: AttemptReport) => void;
  readonly pace: ConcurrencyWindow;
  /** Claimed, and waiting for a place: what fills the places while the next claim is under way. */
  readonly ahead: ClaimedDelivery[];
  /** Attempts until their outcomes are recorded. */
  readonly underWay: Set<Promise<void>>;
  /** Of these, the ones that wait for an answer: they take the places. */
  posting: number;
  /** What is being given back cannot be claimed before. */
  givenBack: Promise<void>;
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
  private readonly claimed = new Claims();

  constructor(
    private readonly ledger: WebhookDeliveryRepository,
    private readonly makeAttempt: MakeAttempt,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * Attempts what is due for the endpoint until nothing is, and tells of each attempt when it is recorded; a line that is at
   * work already takes that over. Once `stopping` is aborted no attempt begins any more; those under way are waited for.
   */
  async drain(endpointId: string, stopping: AbortSignal, tell: (report: AttemptReport) => void): Promise<void> {
    const line = this.lines.get(endpointId) ?? newLine(endpointId, stopping, tell);
    this.lines.set(endpointId, line);
    line.rung = true;
    if (!line.working) await this.work(line);
  }

  /** Keeps what is claimed ours; to be called several times within the length of a lease. */
  renewLeases(): Promise<void> {
    return this.ledger.renew([...this.claimed]);
  }

  private async work(line: Line): Promise<void> {
    line.working = true;
    try {
      while ((line.rung || line.ahead.length > 0) && !line.stopping.aborted) await this.takeTurn(line);
    } finally {
      line.working = false;
      this.giveBack(line);
      await Promise.all([line.givenBack, ...line.underWay]);
      this.letGo(line);
    }
  }

  /** Unless it was rung again meanwhile. */
  private letGo(line: Line): void {
    const { endpointId, working, underWay } = line;
    if (!working && underWay.size === 0 && this.lines.get(endpointId) === line) this.lines.delete(endpointId);
  }

  private async takeTurn(line: Line): Promise<void> {
    const wanted = line.rung ? this.wantedBy(line) : 0;
    if (wanted <= 0) {
      await new Promise<void>((resolve) => (line.onFreed = resolve));
      if (line.rung) await pause(BETWEEN_CLAIMS_MS);
      return;
    }
    await line.givenBack;
    line.rung = false;
    const claimed = await this.ledger.claimAcrossAccounts(line.endpointId, wanted);
    for (const delivery of claimed) this.claimed.add(delivery);
    line.accountId ??= claimed[0]?.accountId ?? null;
    line.ahead.push(...claimed);
    this.fillPlaces(line);
    if (claimed.length === wanted) line.rung = true; // there may be more
  }

  /** How many to claim. None while half of what may wait does: so claims are few and large, and the places never empty. */
  private wantedBy(line: Line): number {
    const { pace, ahead, posting, underWay } = line;
    const mayWait = this.claimed.size < ENOUGH_CLAIMED ? pace.ahead : 0;
    if (ahead.length > mayWait / 2) return 0;
    const room = MAX_CLAIMED_OF_ONE - underWay.size;
    return Math.min(this.limitOf(line) + mayWait - posting, room) - ahead.length;
  }

  private limitOf({ pace, accountId }: Line): number {
    return this.claimed.mayGrowFor(accountId) ? pace.limit : 1;
  }

  private fillPlaces(line: Line): void {
    if (line.stopping.aborted) return;
    for (const delivery of line.ahead.splice(0, Math.max(0, this.limitOf(line) - line.posting)))
      this.begin(line, delivery);
  }

  /** What is left of the claims becomes due again as if it had never been claimed. */
  private giveBack(line: Line): void {
    const unused = line.ahead.splice(0);
    if (unused.length === 0) return;
    line.rung = true;
    line.givenBack = this.follow(unused, Promise.all([line.givenBack, this.ledger.release(unused)]));
  }

  private begin(line: Line, delivery: ClaimedDelivery): void {
    line.posting += 1;
    const work = this.follow([delivery], this.attempt(line, delivery)).finally(() => {
      line.underWay.delete(work);
      line.onFreed?.();
    });
    line.underWay.add(work);
  }

  /** Until the work has ended. Where that fails, the deliveries are taken over when their leases have run out. */
  private async follow(deliveries: readonly ClaimedDelivery[], work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const ids = deliveries.map(({ id }) => id).join(', ');
      this.logger.error(`Webhook deliveries ${ids}: ${(error as Error).message}`, (error as Error).stack);
    } finally {
      for (const delivery of deliveries) this.claimed.delete(delivery);
    }
  }

  private async attempt(line: Line, delivery: ClaimedDelivery): Promise<void> {
    const { number } = delivery;
    const result = await this.makeWhileHeld(delivery).catch((error: unknown) => {
      this.logger.error(`Webhook delivery ${delivery.id}: ${(error as Error).message}`, (error as Error).stack);
      return this.faultOfOurs();
    });
    if (result === null) {
      this.free(line, false);
      line.tell({ delivery, statusCode: null, durationMs: 0, outcome: 'claim_lost' });
      return;
    }
    const verdict = judge(result, number, this.clock.now(), this.random.next());
    this.free(line, verdict.state === 'delivered');
    const isRecorded = await this.ledger.record(delivery, result, verdict);
    const { statusCode, durationMs } = result;
    line.tell({ delivery, statusCode, durationMs, outcome: isRecorded ? verdict.state : 'claim_lost' });
  }

  /** Null, and nothing is posted, if another worker may have claimed the delivery while this process was paused. */
  private async makeWhileHeld(delivery: ClaimedDelivery): Promise<AttemptResult | null> {
    const { attemptId: id, number, event, body, lease } = delivery;
    for (;;) {
      if (!lease.isSafe()) await this.ledger.renew([delivery]);
      if (!lease.isSafe()) return null;
      try {
        return await this.makeAttempt.make({ ...delivery, lane: delivery.endpointId }, { id, number, event, body });
      } catch (error) {
        if (!(error instanceof LeaseEndedError)) throw error;
      }
    }
  }

  /** A receiver that fails is not to be waited for with claims that another worker, or a later time, could serve. */
  private free(line: Line, wasDelivered: boolean): void {
    line.posting -= 1;
    line.pace.note(wasDelivered);
    if (!wasDelivered) this.giveBack(line);
    this.fillPlaces(line);
    line.onFreed?.();
  }

  /** Tried again like a fault of the receiver's, so that a mended service still delivers. */
  private faultOfOurs(): AttemptResult {
    const answer = { statusCode: null, retryAfter: null, responseBody: null, error: 'Internal error' };
    return { startedAt: this.clock.now(), durationMs: 0, requestHeaders: {}, ...answer };
  }
}

const newLine = (endpointId: string, stopping: AbortSignal, tell: Line['tell']): Line => ({
  endpointId,
  accountId: null,
  stopping,
  tell,
  pace: new ConcurrencyWindow(),
  ahead: [],
  underWay: new Set(),
  posting: 0,
  givenBack: Promise.resolve(),
  rung: false,
  working: false,
  onFreed: null,
});
