import type { DomainEvent } from '../events.js';

/** Stores events that are dispatched after the transaction has committed. */
export abstract class Outbox {
  /** Joins the running transaction. */
  abstract add(events: readonly DomainEvent[]): Promise<void>;
}
