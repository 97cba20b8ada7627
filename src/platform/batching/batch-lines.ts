import { KeyedLimit } from '../../shared/keyed-limit.js';
import { Batcher, type BatcherOptions } from './batcher.js';

interface Line<In, Out> {
  batcher: Batcher<In, Out>;
  calls: number;
}

/**
 * A Batcher per key: calls of different keys never share a batch, so that none can slow down or fail another. Of all keys at
 * most `atOnce` batches are written at the same time; keys with more to write take turns, one batch each.
 */
export class BatchLines<In, Out> {
  private readonly lines = new Map<string, Line<In, Out>>();
  private readonly turns: KeyedLimit;
  private readonly options: BatcherOptions<In>;

  constructor(
    private readonly write: (inputs: In[]) => Promise<(Out | Error)[]>,
    { atOnce, ...options }: Omit<BatcherOptions<In>, 'inTurn'> & { atOnce: number },
  ) {
    this.turns = new KeyedLimit(atOnce);
    this.options = { ...options, inTurn: (write) => this.turns.run('', write) };
  }

  async add(key: string, input: In): Promise<Out> {
    const line = this.lines.get(key) ?? { batcher: new Batcher(this.write, this.options), calls: 0 };
    this.lines.set(key, line);
    line.calls += 1;
    try {
      return await line.batcher.add(input);
    } finally {
      if (--line.calls === 0) this.lines.delete(key);
    }
  }
}
