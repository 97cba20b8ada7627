import { Semaphore } from './semaphore.js';

/** A semaphore per key. Keys never wait for each other. */
export class KeyedSemaphore {
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(private readonly permitsPerKey: number) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const semaphore = this.semaphores.get(key) ?? new Semaphore(this.permitsPerKey);
    this.semaphores.set(key, semaphore);
    try {
      return await semaphore.run(work);
    } finally {
      if (semaphore.isIdle && this.semaphores.get(key) === semaphore) this.semaphores.delete(key);
    }
  }
}
