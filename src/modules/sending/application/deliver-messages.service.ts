import { Injectable } from '@nestjs/common';

import type { Channel } from '../../../shared/channel.js';
import { KeyedLimit } from '../../../shared/keyed-limit.js';
import { DeliveryPauses } from '../../provider-settings/index.js';
import { type ClaimedMessage, PendingDeliveryRepository, type DeliveryOutcome } from '../../messages/index.js';
import { AfterFailure } from './after-failure.service.js';
import { CheckSubmission } from './check-submission.service.js';
import { MAX_ATTEMPTS } from '../domain/retry-schedule.js';
import { isRefusal, RecipientSuppressedError } from '../domain/submission-refused.js';
import { MessageProvider } from './ports/message-provider.js';
import { SendingRate } from './ports/sending-rate.js';

/** Begun at a time: enough to keep the connections to a relay busy, few enough to finish within the grace of a stop. */
const HAND_OVERS_PER_ACCOUNT = 100;

export interface DeliveryReport {
  messageId: string;
  attempt: number;
  /** `claim_lost`: the lease ran out meanwhile and another worker has the message. */
  outcome: DeliveryOutcome['kind'] | 'claim_lost';
  /** Of the attempt, without the wait for its turn. */
  durationMs: number;
}

interface Attempt {
  outcome: DeliveryOutcome;
  durationMs: number;
}

/** One attempt to deliver each of some messages. */
@Injectable()
export class DeliverMessages {
  private readonly inFlight = new Set<ClaimedMessage>();
  private readonly handOvers = new KeyedLimit(HAND_OVERS_PER_ACCOUNT);

  constructor(
    private readonly ledger: PendingDeliveryRepository,
    private readonly checks: CheckSubmission,
    private readonly provider: MessageProvider,
    private readonly rate: SendingRate,
    private readonly pauses: DeliveryPauses,
    private readonly afterFailure: AfterFailure,
  ) {}

  /**
   * Attempts those that are due and in nobody's hands, and tells of each when its outcome is recorded. While the channel of
   * the account is paused none is attempted. Once `stopping` is aborted no attempt begins any more; what was not begun is released.
   */
  async deliver(
    channel: Channel,
    accountId: string,
    messageIds: readonly string[],
    stopping: AbortSignal,
    tell: (report: DeliveryReport) => void,
  ): Promise<void> {
    const pause = await this.pauses.find(accountId, channel);
    if (pause) {
      await this.ledger.postpone(accountId, messageIds, pause.until);
      return;
    }
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
      const line = `${message.channel} ${message.accountId}`;
      const { outcome, durationMs } = await this.handOvers.run(line, () => this.attempt(message, stopping));
      const recorded = await this.record(message, outcome);
      const { id: messageId, attempt } = message;
      tell({ messageId, attempt, outcome: recorded, durationMs });
    } finally {
      this.inFlight.delete(message);
    }
  }

  /**
   * Of a bounce that cannot be recorded nothing is stored: the next attempt meets it again. Its lease is left to end, because
   * its row is locked while the suppression waits for others of its account: the leases of all accounts would wait with it.
   */
  private async record(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<DeliveryReport['outcome']> {
    if (outcome.kind !== 'bounced') return (await this.ledger.record(message, outcome)) ? outcome.kind : 'claim_lost';
    this.inFlight.delete(message);
    try {
      return (await this.afterFailure.recordBounce(message, outcome)) ? 'bounced' : 'claim_lost';
    } catch (error) {
      return this.record(message, await this.afterFailure.decide(message, error as Error));
    }
  }

  /** Keeps what is in flight ours; to be called several times within the length of a lease. */
  renewLeases(): Promise<void> {
    return this.ledger.renew([...this.inFlight]);
  }

  private async attempt(message: ClaimedMessage, stopping: AbortSignal): Promise<Attempt> {
    const early = await this.waitForTurn(message, stopping);
    const startedAt = performance.now();
    const outcome = early ?? (await this.handOver(message));
    return { outcome, durationMs: performance.now() - startedAt };
  }

  /** What becomes of a message for which no turn comes; null once it may be handed over. */
  private async waitForTurn(message: ClaimedMessage, stopping: AbortSignal): Promise<DeliveryOutcome | null> {
    if (stopping.aborted) return { kind: 'released' };
    // A message whose workers keep dying must end too.
    if (message.attempt > MAX_ATTEMPTS) return { kind: 'failed', error: `Gave up after ${MAX_ATTEMPTS} attempts` };
    if (message.html === null && message.text === null)
      return { kind: 'failed', error: 'Its content is no longer kept' };
    try {
      const isTurn = await this.rate.takeTurn(message.accountId, message.channel, stopping);
      return isTurn ? null : { kind: 'released' };
    } catch (error) {
      return this.afterFailure.decide(message, error as Error);
    }
  }

  private async handOver(message: ClaimedMessage): Promise<DeliveryOutcome> {
    try {
      return { kind: 'sent', ...(await this.provider.send(message, this.checks.of(message))) };
    } catch (error) {
      if (isRefusal(error)) return afterRefusal(error);
      return this.afterFailure.decide(message, error as Error);
    }
  }
}

/** Another worker may have claimed the message; if not, it becomes due again. */
const afterRefusal = (refusal: Error): DeliveryOutcome =>
  refusal instanceof RecipientSuppressedError ? { kind: 'suppressed', error: refusal.message } : { kind: 'released' };
