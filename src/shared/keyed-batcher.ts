import { Batcher, type BatcherOptions } from './batcher.js';
import { Semaphore } from './semaphore.js';

interface Lane<In, Out> {
  batcher: Batcher<In, Out>;
  calls: number;
}

/**
 * A Batcher per key: calls of different keys never share a batch, so none can slow down or fail another. At most
 * `concurrency` batches are written at a time; waiting keys are served round-robin, one batch each.
 */
export class KeyedBatcher<In, Out> {
  private readonly lanes = new Map<string, Lane<In, Out>>();
  private readonly permits: Semaphore;
  private readonly options: BatcherOptions<In>;

  constructor(
    private readonly write: (inputs: In[]) => Promise<(Out | Error)[]>,
    { concurrency, ...options }: Omit<BatcherOptions<In>, 'withPermit'> & { concurrency: number },
  ) {
    this.permits = new Semaphore(concurrency);
    this.options = { ...options, withPermit: (write) => this.permits.run(write) };
  }

  /** Whether calls of the key are waiting or being written. */
  has(key: string): boolean {
    return this.lanes.has(key);
  }

  async add(key: string, input: In): Promise<Out> {
    const lane = this.lanes.get(key) ?? { batcher: new Batcher(this.write, this.options), calls: 0 };
    this.lanes.set(key, lane);
    lane.calls += 1;
    try {
      return await lane.batcher.add(input);
    } finally {
      if (--lane.calls === 0) this.lanes.delete(key);
    }
  }
}
