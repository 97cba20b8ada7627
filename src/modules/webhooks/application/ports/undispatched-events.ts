import type { EventName } from '../../../../shared/events.js';

/** An event of the outbox and the endpoints that hear of it. */
export interface UndispatchedEvent {
  id: string;
  type: EventName;
  accountId: string;
  occurredAt: Date;
  data: object;
  /** Those that subscribe to it now and that their account has not disabled. */
  endpointIds: string[];
}

export interface WaitingAccount {
  id: string;
  /** How many hear of its events, some of them perhaps not of all. */
  endpoints: number;
}

/** How many events of an account may be taken. */
export interface Share {
  accountId: string;
  events: number;
}

export abstract class UndispatchedEvents {
  /** The first accounts after `afterId` that have events waiting, by id; cheap, to be asked all the time. */
  abstract waitingAccountsAcrossAccounts(afterId: string, limit: number): Promise<WaitingAccount[]>;

  /** Removes the oldest events of each, within the running transaction; those that another process is taking are left to it. */
  abstract takeAcrossAccounts(shares: readonly Share[]): Promise<UndispatchedEvent[]>;
}
