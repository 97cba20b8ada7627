import type { PastClock } from './past-clock.js';

type Act = () => Promise<void>;

/** The planned acts in the past of the account. An act may add further ones. */
export class Agenda {
  private acts: { at: Date; act: Act }[] = [];

  constructor(
    private readonly clock: PastClock,
    readonly end: Date,
  ) {}

  /** Acts after the end are left out. */
  add(at: Date, act: Act): void {
    if (at < this.end) this.acts.push({ at, act });
  }

  /** Moves the clock from act to act, the earliest first, and then to the end. */
  async run(): Promise<void> {
    for (;;) {
      const [first] = this.acts;
      if (!first) break;
      const next = this.acts.reduce((earliest, act) => (act.at < earliest.at ? act : earliest), first);
      this.acts = this.acts.filter((act) => act !== next);
      this.clock.moveTo(next.at);
      await next.act();
    }
    this.clock.moveTo(this.end);
  }
}
