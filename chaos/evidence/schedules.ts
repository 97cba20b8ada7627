/** Sends with a time of their own, and which of them clients have canceled, by send index. */
export class ScheduleRecords {
  /** Canceled, according to a response. */
  readonly canceled = new Set<number>();
  /** Refused by the last response, but earlier requests had none, and may have been carried out afterwards. */
  readonly possiblyCanceled = new Set<number>();
  private readonly times = new Map<number, number>();

  get count(): number {
    return this.times.size;
  }

  mayBeCanceled(index: number): boolean {
    return this.canceled.has(index) || this.possiblyCanceled.has(index);
  }

  /** `at` in milliseconds since 1970. */
  add(index: number, at: number): void {
    this.times.set(index, at);
  }

  /** Undefined for a send without a time. */
  timeOf(index: number): number | undefined {
    return this.times.get(index);
  }
}
