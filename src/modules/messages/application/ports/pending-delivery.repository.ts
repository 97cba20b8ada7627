import type { DeliveryLane } from '../../../../shared/channel.js';
import type { ClaimedMessage, DeliveryOutcome, MessageTexts, PendingDelivery } from '../../domain/delivery.js';
import type { ReportedMessage } from '../../domain/reported-event.js';

/** Called with faults on the way to a recorded outcome. */
export interface RecordingFaults {
  /** The outcome is not recorded yet; another try follows. */
  onRetry: (error: Error) => void;
  /** The outcome is recorded, but clicks before it were not checked for scanners. */
  onUncheckedClicks: (error: Error) => void;
}

/** The pending deliveries of a lane, of all accounts. */
export interface Backlog {
  lane: DeliveryLane;
  pending: number;
  /** The time that the oldest due delivery has waited for a worker to claim it; 0 if none waits. */
  oldestDueSeconds: number;
}

/** The lane of campaign mail, or all others. */
export type SweptLanes = 'bulk' | 'others';

/** Pending deliveries and their leases. */
export abstract class PendingDeliveryRepository {
  /**
   * Makes messages `sending` and leases them to the caller alone. Skips those that are final, not due yet or leased to
   * another worker. A message whose earlier lease expired is leased again, and its timeline records that.
   */
  abstract claim(accountId: string, messageIds: readonly string[]): Promise<ClaimedMessage[]>;

  /** The texts of a message that came without them; null if they are no longer kept. */
  abstract texts(message: ClaimedMessage): Promise<MessageTexts | null>;

  /** Postpones those of the messages that are not leased until then. */
  abstract postpone(accountId: string, messageIds: readonly string[], until: Date): Promise<void>;

  /** Renews the leases of these messages. A lease that another worker has taken is set to lost. */
  abstract renew(messages: readonly ClaimedMessage[]): Promise<void>;

  /**
   * Records how the attempt ended on the message, on its timeline and on its pending delivery, all or nothing. Returns
   * false, and changes nothing, if the lease expired and another worker has claimed the message since. Retries until
   * it succeeds: a submitted message must not be submitted again.
   */
  abstract record(message: ClaimedMessage, outcome: DeliveryOutcome, faults: RecordingFaults): Promise<boolean>;

  /**
   * Like `record`, within the running transaction, for an outcome with further consequences. Null if the claim is lost.
   * Does not retry: the provider has accepted nothing.
   */
  abstract recordWithin(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<ReportedMessage | null>;

  /**
   * Returns overdue deliveries of these lanes: due retries, expired leases, lost jobs, and messages that were held
   * until their campaign was resumed or canceled. Further calls skip each for some minutes, so that two sweeps do not
   * return the same.
   */
  abstract takeOverdueAcrossAccounts(lanes: SweptLanes, limit: number): Promise<PendingDelivery[]>;

  /** The backlog of each lane that has one. Reads all pending deliveries. */
  abstract measureBacklogAcrossAccounts(): Promise<Backlog[]>;
}

export abstract class DeliveryJobs {
  /** Enqueues a job that wakes a worker for the message. Never throws: the sweep enqueues again if the job is lost. */
  abstract enqueue(delivery: PendingDelivery): void;

  /** Whether a sweep may enqueue more: new messages wait for the queue behind what it has enqueued. */
  abstract hasRoom(lanes: SweptLanes): boolean;
}
