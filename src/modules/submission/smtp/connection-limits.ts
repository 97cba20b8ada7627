import { networkOf } from '../../../shared/ip-address.js';

const PER_NETWORK = 20;

/** Counts the open connections of this process, and those of each network: an IPv4 address or an IPv6 /64. */
export class ConnectionLimits {
  private readonly byNetwork = new Map<string, number>();
  private open = 0;

  constructor(private readonly max: number) {}

  get isFull(): boolean {
    return this.open >= this.max;
  }

  /** Counts a connection until the returned function is called. */
  add(): () => void {
    this.open += 1;
    return () => (this.open -= 1);
  }

  /** The same for its network; null if that has too many. */
  addFrom(address: string): (() => void) | null {
    const network = networkOf(address);
    const before = this.byNetwork.get(network) ?? 0;
    if (before >= PER_NETWORK) return null;
    this.byNetwork.set(network, before + 1);
    return () => {
      const left = (this.byNetwork.get(network) ?? 0) - 1;
      if (left > 0) this.byNetwork.set(network, left);
      else this.byNetwork.delete(network);
    };
  }
}
