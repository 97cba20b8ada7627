/** Above this share of the limit, slow transfers are ended early. */
const CROWDED = 0.5;
const WITHIN_MS = { usual: 30_000, crowded: 1_000 };
const LOOK_EVERY_MS = 1_000;

interface Transfer {
  since: number;
  giveUp: () => void;
}

/**
 * Request bodies being received and responses being sent: transfers that wait for the client. Each may take half a
 * minute, or one second while there are many.
 */
export class ClientTransfers {
  private readonly running = new Set<Transfer>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.running.size;
  }

  /**
   * Until the function that it returns is called, the transfer is running. `giveUp` is called where that takes too
   * long. Null where too many are running already.
   */
  begin(giveUp: () => void): (() => void) | null {
    if (this.running.size >= this.limit) this.giveUpSlow();
    return this.running.size >= this.limit ? null : this.add(giveUp);
  }

  /** The same, but where too many are running, the oldest is given up instead. */
  beginInsteadOfOldest(giveUp: () => void): () => void {
    const [oldest] = this.running;
    if (oldest && this.running.size >= this.limit) this.stop(oldest);
    return this.add(giveUp);
  }

  private add(giveUp: () => void): () => void {
    const transfer = { since: performance.now(), giveUp };
    this.running.add(transfer);
    this.timer ??= setInterval(() => {
      this.giveUpSlow();
    }, LOOK_EVERY_MS).unref();
    return () => this.running.delete(transfer);
  }

  private stop(transfer: Transfer): void {
    this.running.delete(transfer);
    transfer.giveUp();
  }

  private giveUpSlow(): void {
    const within = this.running.size > this.limit * CROWDED ? WITHIN_MS.crowded : WITHIN_MS.usual;
    const before = performance.now() - within;
    for (const transfer of this.running) {
      if (transfer.since > before) break; // the oldest come first
      this.stop(transfer);
    }
    if (this.running.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
