import type { ClaimedMessage, DeliveryOutcome, PendingDelivery } from '../../domain/delivery.js';
import type { ReportedMessage } from '../../domain/reported-event.js';

/** Which messages still have to be delivered, and who is at it. */
export abstract class PendingDeliveryRepository {
  /**
   * Makes messages `sending` and leases them to the caller alone; leaves out those that are final, not due yet or in other
   * hands. One whose earlier lease ran out is leased again, and its timeline says so.
   */
  abstract claim(accountId: string, messageIds: readonly string[]): Promise<ClaimedMessage[]>;

  /** Leaves those that nobody has claimed alone until then. */
  abstract postpone(accountId: string, messageIds: readonly string[], until: Date): Promise<void>;

  /** Renews the leases of these messages, and marks those as lost that another worker has claimed. */
  abstract renew(messages: readonly ClaimedMessage[]): Promise<void>;

  /**
   * Records how the attempt ended, on the message, on its timeline and among the pending deliveries, all or nothing. False if the
   * lease ran out and another worker has taken the message since: then nothing is changed. Tries until it
   * succeeds: what went out must not be forgotten.
   */
  abstract record(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<boolean>;

  /**
   * The same within the running transaction, for an outcome with further consequences. Null if the claim no longer
   * stands. Does not try again: the attempt left nothing with the provider.
   */
  abstract recordWithin(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<ReportedMessage | null>;

  /**
   * Pending deliveries that nobody has looked at in time: due retries, ended leases, lost jobs. Each is left alone
   * for some minutes then, so that two sweeps do not find the same.
   */
  abstract takeOverdueAcrossAccounts(limit: number): Promise<PendingDelivery[]>;
}
