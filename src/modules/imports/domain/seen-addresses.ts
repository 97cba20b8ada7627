import { hash } from 'node:crypto';

const FIRST_SLOTS = 4_096;
/** A number holds this many exactly. */
const HASH_DIGITS = 12;

/**
 * A set of addresses that takes 16 to 32 bytes each, so that millions fit in memory. Hashes of 48 bits practically
 * never collide.
 */
export class SeenAddresses {
  private slots = new Float64Array(FIRST_SLOTS);
  private size = 0;

  /** Returns true the first time. */
  add(address: string): boolean {
    if (this.size * 2 >= this.slots.length) this.grow();
    // Zero is an empty slot.
    return this.insert(parseInt(hash('sha1', address, 'hex').slice(0, HASH_DIGITS), 16) + 1);
  }

  private insert(key: number): boolean {
    let slot = key % this.slots.length;
    while (this.slots[slot] !== 0) {
      if (this.slots[slot] === key) return false;
      slot = (slot + 1) % this.slots.length;
    }
    this.slots[slot] = key;
    this.size += 1;
    return true;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Float64Array(old.length * 2);
    this.size = 0;
    for (const key of old) if (key !== 0) this.insert(key);
  }
}
