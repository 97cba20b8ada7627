/** How fast an account's messages may be handed over, all workers together. */
export abstract class SendingRate {
  /**
   * Resolves when it is the account's turn for one more message: true; false, early, once `stopping` is aborted. At once
   * for an account without a limit.
   */
  abstract takeTurn(accountId: string, stopping: AbortSignal): Promise<boolean>;

  /** The provider refused a message for the speed: for a second no further turns are given, in any worker. */
  abstract slowDown(accountId: string): Promise<void>;
}
