/**
 * Runs at most `permits` pieces of work at a time; the others wait, first come first served. Waiting work starts once
 * `groupSize` permits are free, so that work with a group size above one starts together and its first statements can
 * share a batch. Work that finds a free permit and nobody waiting starts at once.
 */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(
    private readonly permits: number,
    private readonly groupSize = 1,
  ) {}

  get isIdle(): boolean {
    return this.running === 0 && this.waiting.length === 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.permits || this.waiting.length > 0)
      await new Promise<void>((start) => this.waiting.push(start));
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (this.permits - this.running >= this.groupSize) this.startWaiting();
    }
  }

  private startWaiting(): void {
    for (const start of this.waiting.splice(0, this.permits - this.running)) {
      this.running += 1;
      start();
    }
  }
}
