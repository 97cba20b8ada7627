/** How fast AWS is asked about an opt-out list: by all accounts and processes together, for each `source`, which is AWS access. */
export abstract class SyncPace {
  /** From the request for one page to that for the next. */
  abstract readonly msPerPage: number;

  /** Reserves the next turn to ask for a page, or about a number; in how many milliseconds it comes. */
  abstract takeTurn(source: string, subject: 'page' | 'number'): Promise<number>;
}
