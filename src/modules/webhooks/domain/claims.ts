import type { ClaimedDelivery } from './webhook-delivery.js';

/** Above this many claims a process rations sockets and memory between accounts. */
const FAIR_SHARE_ABOVE = 1_000;

/** The deliveries that this process has claimed, of all accounts. */
export class Claims implements Iterable<ClaimedDelivery> {
  private readonly all = new Set<ClaimedDelivery>();
  private readonly counts = new Map<string, number>();

  get size(): number {
    return this.all.size;
  }

  [Symbol.iterator](): Iterator<ClaimedDelivery> {
    return this.all.values();
  }

  add(delivery: ClaimedDelivery): void {
    this.all.add(delivery);
    this.counts.set(delivery.accountId, this.countOf(delivery.accountId) + 1);
  }

  delete(delivery: ClaimedDelivery): void {
    if (!this.all.delete(delivery)) return;
    const left = this.countOf(delivery.accountId) - 1;
    if (left > 0) this.counts.set(delivery.accountId, left);
    else this.counts.delete(delivery.accountId);
  }

  /** Whether the account may claim more. Above the bound only an account below its equal share may. */
  mayClaimFor(accountId: string | null): boolean {
    if (this.size < FAIR_SHARE_ABOVE || accountId === null) return this.size < FAIR_SHARE_ABOVE;
    const own = this.countOf(accountId);
    return own < FAIR_SHARE_ABOVE / (own === 0 ? this.counts.size + 1 : this.counts.size);
  }

  private countOf(accountId: string): number {
    return this.counts.get(accountId) ?? 0;
  }
}
