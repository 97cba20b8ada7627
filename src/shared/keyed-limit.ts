/** Runs pieces of work under a key, at most so many of one key at a time; the others wait in line. */
export class KeyedLimit {
  private readonly lines = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(private readonly maxPerKey: number) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    if (line.running >= this.maxPerKey) await new Promise<void>((start) => line.waiting.push(start));
    else line.running += 1;
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.lines.delete(key);
    }
  }
}
