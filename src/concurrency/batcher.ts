import type { DatabaseFaults } from '../shared/ports/database-faults.js';

interface WaitingCall<In, Out> {
  input: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<In> {
  faults: Pick<DatabaseFaults, 'isRowFault' | 'isTimedOut' | 'isOutOfReach'>;
  /** The maximum size of a batch; 100 by default. */
  maxSize?: number;
  /** The amount of `maxSize` that a call takes; one by default. A call above `maxSize` is a batch of its own. */
  sizeOf?: (input: In) => number;
  /** Starts writing once a permit is free. The batch consists of the calls waiting at that moment. */
  withPermit?: (write: () => Promise<void>) => Promise<void>;
}

/** At this number of time-outs in one batch, the database is slow, not one of its rows. */
const MAX_TIME_OUTS = 2;

/**
 * Writes concurrent calls in batches. A batch consists of the calls of one iteration of the event loop and of those
 * that arrive while the previous batch is being written. An idle system has batches of one and adds no waiting; under
 * load the batches grow and the cost per call falls.
 * `write` returns one result per input, in order; a result that is an Error fails only its own call. A batch that fails
 * because of a row, or takes too long, is written again one by one, so that one call does not fail its neighbours. If
 * no connection can be had, the waiting calls fail with the batch: they have waited as long.
 */
export class Batcher<In, Out> {
  private waiting: WaitingCall<In, Out>[] = [];
  private writing = false;

  constructor(
    private readonly write: (inputs: In[]) => Promise<(Out | Error)[]>,
    private readonly options: BatcherOptions<In>,
  ) {}

  add(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (this.writing) return;
      this.writing = true;
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    const { withPermit = (write) => write() } = this.options;
    while (this.waiting.length > 0) await withPermit(() => this.writeBatch(this.takeBatch()));
    this.writing = false;
  }

  private takeBatch(): WaitingCall<In, Out>[] {
    const { maxSize = 100, sizeOf = () => 1 } = this.options;
    let [count, size] = [0, 0];
    for (const { input } of this.waiting) {
      size += sizeOf(input);
      if (count > 0 && size > maxSize) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async writeBatch(batch: WaitingCall<In, Out>[]): Promise<void> {
    try {
      await this.writeTogether(batch);
    } catch (error) {
      const { faults } = this.options;
      if (batch.length > 1 && (faults.isRowFault(error) || faults.isTimedOut(error))) await this.writeOneByOne(batch);
      else
        for (const call of faults.isOutOfReach(error) ? [...batch, ...this.waiting.splice(0)] : batch)
          call.reject(error);
    }
  }

  private async writeOneByOne(batch: WaitingCall<In, Out>[]): Promise<void> {
    const timeOuts: { call: WaitingCall<In, Out>; error: unknown }[] = [];
    for (const call of batch) {
      try {
        if (timeOuts.length === MAX_TIME_OUTS) throw timeOuts[0]?.error;
        await this.writeTogether([call]);
      } catch (error) {
        if (this.options.faults.isTimedOut(error) && timeOuts.length < MAX_TIME_OUTS) timeOuts.push({ call, error });
        else call.reject(error);
      }
    }
    // Rejected last: callers that repeat them then queue behind the calls that were not tried.
    for (const { call, error } of timeOuts) call.reject(error);
  }

  private async writeTogether(batch: WaitingCall<In, Out>[]): Promise<void> {
    const results = await this.write(batch.map((call) => call.input));
    batch.forEach((call, i) => {
      const result = results[i];
      if (result instanceof Error) call.reject(result);
      else call.resolve(result as Out);
    });
  }
}
