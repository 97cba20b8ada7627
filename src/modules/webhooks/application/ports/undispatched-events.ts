import type { EventName } from '../../../../shared/events.js';

/** An event of the outbox with the endpoints that receive it. */
export interface UndispatchedEvent {
  id: string;
  type: EventName;
  /** The account of the endpoints. */
  accountId: string;
  /** Whether it is about a message of a test key. */
  isTest: boolean;
  occurredAt: Date;
  data: object;
  /** The endpoints that subscribe to it now and that their account has not disabled. */
  endpointIds: string[];
}

export interface WaitingAccount {
  id: string;
  /** The number of its endpoints that may receive events. */
  endpoints: number;
}

/** The number of events of an account that a batch may take. */
export interface Quota {
  accountId: string;
  events: number;
}

export abstract class UndispatchedEvents {
  /** The first accounts after `afterId`, by id, that have events in the outbox. Cheap enough to be polled. */
  abstract listWaitingAcrossAccounts(afterId: string, limit: number): Promise<WaitingAccount[]>;

  /**
   * Joins the running transaction: removes the oldest events of each account, except those another process takes, and
   * keeps the endpoints from being removed. Leaves out accounts with a locked endpoint.
   */
  abstract takeAcrossAccounts(quotas: readonly Quota[]): Promise<UndispatchedEvent[]>;
}
