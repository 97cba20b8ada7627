const FIRST = 10;
const MOST = 64;
const AHEAD = 2 * MOST;

/** How many attempts to one endpoint may be under way at a time: more while it takes them, down to one while it does not. */
export class ConcurrencyWindow {
  private places = FIRST;

  get limit(): number {
    return this.places;
  }

  /** How many more may be claimed before there is a place for them: none until the endpoint has shown that it takes the most. */
  get ahead(): number {
    return this.places === MOST ? AHEAD : 0;
  }

  note(wasDelivered: boolean): void {
    this.places = wasDelivered ? Math.min(MOST, this.places + 1) : Math.max(1, Math.floor(this.places / 2));
  }
}
