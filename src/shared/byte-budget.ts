/** Gives the bytes back; further calls do nothing. */
export type ReleaseBytes = () => void;

/**
 * A number of bytes that pieces of work share; those for which there are too few wait, first come first served. Work
 * that needs more than there are gets all of them.
 */
export class ByteBudget {
  private readonly waiting: { bytes: number; start: () => void }[] = [];
  private used = 0;

  constructor(private readonly total: number) {}

  get isIdle(): boolean {
    return this.used === 0 && this.waiting.length === 0;
  }

  /** Waits until there are that many bytes; null if `signal` is aborted before. */
  async acquire(needed: number, signal: AbortSignal): Promise<ReleaseBytes | null> {
    const bytes = Math.min(needed, this.total);
    return this.tryAcquire(bytes) ?? ((await this.wait(bytes, signal)) ? this.releaseOf(bytes) : null);
  }

  /** Null if there are too few, or others wait. */
  tryAcquire(needed: number): ReleaseBytes | null {
    const bytes = Math.min(needed, this.total);
    if (this.waiting.length > 0 || this.used + bytes > this.total) return null;
    this.used += bytes;
    return this.releaseOf(bytes);
  }

  private releaseOf(bytes: number): ReleaseBytes {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.used -= bytes;
      this.startWaiting();
    };
  }

  /** Whether the bytes were taken. */
  private wait(bytes: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        resolve(false);
        this.startWaiting();
      };
      const waiter = {
        bytes,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve(true);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(waiter);
    });
  }

  private startWaiting(): void {
    for (let [next] = this.waiting; next && this.used + next.bytes <= this.total; [next] = this.waiting) {
      this.waiting.shift();
      this.used += next.bytes;
      next.start();
    }
  }
}
