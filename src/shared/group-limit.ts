/**
 * Runs at most `max` works at a time. Those that wait begin together, at least `group` of them, so that what each does
 * first can share a batch. A work that finds nobody waiting and room for it begins at once.
 */
export class GroupLimit {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(
    private readonly max: number,
    private readonly group: number,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.max || this.waiting.length > 0)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (this.max - this.running >= this.group) this.beginWaiting();
    }
  }

  private beginWaiting(): void {
    for (const begin of this.waiting.splice(0, this.max - this.running)) {
      this.running += 1;
      begin();
    }
  }
}
