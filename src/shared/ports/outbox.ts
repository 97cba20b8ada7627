import type { DomainEvent } from '../events.js';

/** Events that leave the service some time after the transaction that they are written in, if it commits. */
export abstract class Outbox {
  /** Within the running transaction. */
  abstract add(events: readonly DomainEvent[]): Promise<void>;
}
