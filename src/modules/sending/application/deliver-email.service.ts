import { Injectable, Logger } from '@nestjs/common';

import { KeyedLimit } from '../../../shared/keyed-limit.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Random } from '../../../shared/ports/random.js';
import { type ClaimedMessage, DeliveryLedger, type DeliveryOutcome } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import { PermanentDeliveryError, TransientDeliveryError } from '../domain/delivery-error.js';
import { MAX_ATTEMPTS, retryDelayMs } from '../domain/retry-schedule.js';
import { EmailProvider } from './ports/email-provider.js';

/** Begun at a time: enough to keep the connections to a relay busy, few enough to finish within the grace of a stop. */
const HAND_OVERS_PER_ACCOUNT = 40;

export interface DeliveryReport {
  messageId: string;
  attempt: number;
  /** `claim_lost`: the lease ran out meanwhile and another worker has the message. */
  outcome: DeliveryOutcome['kind'] | 'claim_lost';
  durationMs: number;
}

/** One attempt to deliver each of some messages. */
@Injectable()
export class DeliverEmail {
  private readonly logger = new Logger(DeliverEmail.name);
  private readonly inFlight = new Set<ClaimedMessage>();
  private readonly handOvers = new KeyedLimit(HAND_OVERS_PER_ACCOUNT);

  constructor(
    private readonly ledger: DeliveryLedger,
    private readonly suppressions: SuppressionList,
    private readonly provider: EmailProvider,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * Attempts those that are due and in nobody's hands, and tells of each when its outcome is recorded. Once `stopping`
   * is aborted no attempt begins any more; what was not begun is released.
   */
  async deliver(
    accountId: string,
    messageIds: readonly string[],
    stopping: AbortSignal,
    tell: (report: DeliveryReport) => void,
  ): Promise<void> {
    const messages = await this.ledger.claim(accountId, messageIds);
    for (const message of messages) this.inFlight.add(message);
    const results = await Promise.allSettled(messages.map((message) => this.deliverOne(message, stopping, tell)));
    const fault = results.find((result) => result.status === 'rejected');
    if (fault) throw fault.reason;
  }

  private async deliverOne(
    message: ClaimedMessage,
    stopping: AbortSignal,
    tell: (report: DeliveryReport) => void,
  ): Promise<void> {
    try {
      const { outcome, durationMs } = await this.handOvers.run(message.accountId, async () => {
        const startedAt = performance.now();
        const outcome = stopping.aborted ? ({ kind: 'released' } as const) : await this.attempt(message);
        return { outcome, durationMs: performance.now() - startedAt };
      });
      const recorded = await this.ledger.record(message, outcome);
      const { id: messageId, attempt } = message;
      tell({ messageId, attempt, outcome: recorded ? outcome.kind : 'claim_lost', durationMs });
    } finally {
      this.inFlight.delete(message);
    }
  }

  /** Keeps what is in flight ours; to be called several times within the length of a lease. */
  renewLeases(): Promise<void> {
    return this.ledger.renew([...this.inFlight]);
  }

  private async attempt(message: ClaimedMessage): Promise<DeliveryOutcome> {
    // A message whose workers keep dying must end too.
    if (message.attempt > MAX_ATTEMPTS) return { kind: 'failed', error: `Gave up after ${MAX_ATTEMPTS} attempts` };
    if (message.html === null && message.text === null)
      return { kind: 'failed', error: 'Its content is no longer kept' };
    try {
      if (await this.suppressions.isSuppressed(message.accountId, 'email', message.recipient)) {
        return { kind: 'suppressed', error: `${message.recipient} is suppressed` };
      }
      return { kind: 'sent', ...(await this.provider.send(message)) };
    } catch (error) {
      return this.afterFailure(message, error as Error);
    }
  }

  /** A fault of ours is tried again like one of the provider's, so that a mended release still delivers the message. */
  private afterFailure({ id, attempt }: ClaimedMessage, error: Error): DeliveryOutcome {
    if (error instanceof PermanentDeliveryError) return { kind: 'failed', error: error.message };
    const isOurs = !(error instanceof TransientDeliveryError);
    if (isOurs) this.logger.error(`Message ${id}: ${error.message}`, error.stack);
    const reason = isOurs ? 'Internal error' : error.message;
    const delayMs = retryDelayMs(attempt, this.random.next());
    if (delayMs === null) return { kind: 'failed', error: `Gave up after ${attempt} attempts: ${reason}` };
    return { kind: 'retry', error: reason, nextAttemptAt: new Date(this.clock.now().getTime() + delayMs) };
  }
}
