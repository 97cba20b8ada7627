import type { ClaimedDelivery } from './webhook-delivery.js';

/** Deliveries that a process has claimed beyond which it bounds sockets and memory. */
const MANY = 1_000;

/** What a process has claimed, of whatever account. */
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
    this.counts.set(delivery.accountId, this.of(delivery.accountId) + 1);
  }

  delete(delivery: ClaimedDelivery): void {
    if (!this.all.delete(delivery)) return;
    const left = this.of(delivery.accountId) - 1;
    if (left > 0) this.counts.set(delivery.accountId, left);
    else this.counts.delete(delivery.accountId);
  }

  /** Where there are many, only to an account that has less than its share: all that have some share alike. */
  mayGrowFor(accountId: string | null): boolean {
    if (this.size < MANY || accountId === null) return this.size < MANY;
    const own = this.of(accountId);
    return own < MANY / (own === 0 ? this.counts.size + 1 : this.counts.size);
  }

  private of(accountId: string): number {
    return this.counts.get(accountId) ?? 0;
  }
}
