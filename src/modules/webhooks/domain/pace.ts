const FIRST = 10;
const MOST = 64;

/** How many attempts to one endpoint may be under way at a time: more while it takes them, down to one while it does not. */
export class Pace {
  private places = FIRST;

  get limit(): number {
    return this.places;
  }

  note(wasDelivered: boolean): void {
    this.places = wasDelivered ? Math.min(MOST, this.places + 1) : Math.max(1, Math.floor(this.places / 2));
  }
}
