import { LRUCache } from 'lru-cache';

interface Options<Value> {
  /** Above this, the least recently used entry is evicted. */
  max: number;
  /**
   * The lifetime. A number counts from the start of the load; a lifetime derived from the value or the load time, from
   * its end.
   */
  freshForMs: number | ((value: Value, tookMs: number) => number);
  /** Returns milliseconds of any clock. */
  now?: () => number;
}

/** The expiry is kept with the value: that of a pending value may not be known yet. */
interface Entry<Value> {
  value: Promise<Value>;
  expiresAtMs: number;
}

/** Caches loaded values for a time. Concurrent callers share one load; a failed load is not cached. */
export class TtlCache<Value> {
  private readonly entries: LRUCache<string, Entry<Value>>;
  private readonly now: () => number;

  constructor(private readonly options: Options<Value>) {
    this.entries = new LRUCache({ max: options.max });
    this.now = options.now ?? (() => performance.now());
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const { freshForMs } = this.options;
    const now = this.now();
    const cached = this.entries.get(key);
    if (cached && cached.expiresAtMs > now) return cached.value;
    const entry = { value: load(), expiresAtMs: typeof freshForMs === 'number' ? now + freshForMs : Infinity };
    this.entries.set(key, entry);
    entry.value.then(
      (value) => {
        if (typeof freshForMs !== 'function') return;
        const loadedAt = this.now();
        entry.expiresAtMs = loadedAt + freshForMs(value, loadedAt - now);
      },
      () => {
        if (this.entries.peek(key) === entry) this.entries.delete(key);
      },
    );
    return entry.value;
  }

  /** Callers that already wait still get the pending value; later ones do not. */
  forget(matches: (key: string) => boolean): void {
    for (const key of [...this.entries.keys()]) if (matches(key)) this.entries.delete(key);
  }
}
