import type { PendingDelivery } from '../../domain/delivery.js';

export abstract class DeliveryJobs {
  /** Enqueues a job that wakes a worker for the message. Never throws: the sweep enqueues again if the job is lost. */
  abstract enqueue(delivery: PendingDelivery): void;
}
