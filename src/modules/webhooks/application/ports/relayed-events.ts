import type { EventName } from '../../../../shared/events.js';

/** An event of the outbox and the endpoints that hear of it. */
export interface RelayedEvent {
  id: string;
  type: EventName;
  accountId: string;
  occurredAt: Date;
  data: object;
  /** Those that subscribe to it now and that their account has not disabled. */
  endpointIds: string[];
}

export abstract class RelayedEvents {
  /** Whether events wait; cheap, to be asked all the time. */
  abstract anyAcrossAccounts(): Promise<boolean>;

  /** Removes the oldest events, within the running transaction; those that another process is taking are left to it. */
  abstract takeAcrossAccounts(limit: number): Promise<RelayedEvent[]>;
}
