/** Sends with a time of their own, and which of them clients have canceled, by send index. */
export class ScheduleRecords {
  /** Canceled, according to a response. */
  readonly canceled = new Set<number>();
  private readonly times = new Map<number, number>();

  get count(): number {
    return this.times.size;
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
