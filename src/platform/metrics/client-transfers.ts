import { CROWDED_TRANSFER_TIMEOUT_MS, TRANSFER_TIMEOUT_MS } from '../../config/limits.js';

/** Above this share of the limit, slow transfers are aborted early. */
const CROWDED = 0.5;
const CHECK_EVERY_MS = 1_000;

interface Transfer {
  since: number;
  abort: () => void;
}

/**
 * Tracks transfers that wait for the client: request bodies being received or responses being sent. Each may take 30
 * seconds, or one second while there are many.
 */
export class ClientTransfers {
  private readonly running = new Set<Transfer>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.running.size;
  }

  /**
   * Begins a transfer, which runs until the returned function is called. Calls `abort` if that takes too long. Returns
   * null if too many transfers are running.
   */
  begin(abort: () => void): (() => void) | null {
    if (this.running.size >= this.limit) this.abortSlow();
    return this.running.size >= this.limit ? null : this.add(abort);
  }

  /** Begins a transfer as `begin` does, but aborts the oldest transfer if too many are running. */
  beginInsteadOfOldest(abort: () => void): () => void {
    const [oldest] = this.running;
    if (oldest && this.running.size >= this.limit) this.stop(oldest);
    return this.add(abort);
  }

  private add(abort: () => void): () => void {
    const transfer = { since: performance.now(), abort };
    this.running.add(transfer);
    this.timer ??= setInterval(() => {
      this.abortSlow();
    }, CHECK_EVERY_MS).unref();
    return () => this.running.delete(transfer);
  }

  private stop(transfer: Transfer): void {
    this.running.delete(transfer);
    transfer.abort();
  }

  private abortSlow(): void {
    const within = this.running.size > this.limit * CROWDED ? CROWDED_TRANSFER_TIMEOUT_MS : TRANSFER_TIMEOUT_MS;
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
