import { Batcher, type BatcherOptions } from './batcher.js';
import { Limiter } from './limiter.js';

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
  private readonly writing: Limiter;

  constructor(
    private readonly write: (inputs: In[]) => Promise<(Out | Error)[]>,
    private readonly options: Omit<BatcherOptions<In>, 'withPermit'> & { concurrency: number },
  ) {
    this.writing = new Limiter({ total: options.concurrency });
  }

  /** Whether calls of the key are waiting or being written. */
  has(key: string): boolean {
    return this.lanes.has(key);
  }

  async add(key: string, input: In): Promise<Out> {
    const lane = this.lanes.get(key) ?? { batcher: this.batcherFor(key), calls: 0 };
    this.lanes.set(key, lane);
    lane.calls += 1;
    try {
      return await lane.batcher.add(input);
    } finally {
      if (--lane.calls === 0) this.lanes.delete(key);
    }
  }

  private batcherFor(key: string): Batcher<In, Out> {
    return new Batcher(this.write, { ...this.options, withPermit: (write) => this.writing.run(key, write) });
  }
}
