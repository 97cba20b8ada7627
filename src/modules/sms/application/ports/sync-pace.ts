/** How fast the opt-out list is read. */
export abstract class SyncPace {
  /** From the request for one page to that for the next. */
  abstract readonly msPerPage: number;
}
