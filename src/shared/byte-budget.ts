/**
 * Runs pieces of work that each need a number of bytes, together at most as many as there are; the others wait, first
 * come first served. Work that needs more than there are runs alone.
 */
export class ByteBudget {
  private readonly waiting: { bytes: number; start: () => void }[] = [];
  private used = 0;

  constructor(private readonly total: number) {}

  get isIdle(): boolean {
    return this.used === 0 && this.waiting.length === 0;
  }

  async run<T>(needed: number, work: () => Promise<T>): Promise<T> {
    const bytes = Math.min(needed, this.total);
    if (this.waiting.length > 0 || this.used + bytes > this.total)
      await new Promise<void>((start) => this.waiting.push({ bytes, start }));
    else this.used += bytes;
    try {
      return await work();
    } finally {
      this.used -= bytes;
      this.startWaiting();
    }
  }

  private startWaiting(): void {
    for (let [next] = this.waiting; next && this.used + next.bytes <= this.total; [next] = this.waiting) {
      this.waiting.shift();
      this.used += next.bytes;
      next.start();
    }
  }
}
