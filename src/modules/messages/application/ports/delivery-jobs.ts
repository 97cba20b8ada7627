import type { PendingDelivery } from '../../domain/delivery.js';

export abstract class DeliveryJobs {
  /** Wakes a worker for the message, soon. Never throws: an alarm that is lost is found by the sweep. */
  abstract ring(delivery: PendingDelivery): void;
}
