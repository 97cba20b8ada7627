import { isDatabaseOutOfReach, isTimedOut } from '../database/postgres-errors.js';

interface WaitingCall<In, Out> {
  input: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<In> {
  maxSize: number;
  /** How much of `maxSize` a call takes; one if not given. A call that is larger than that is a batch of its own. */
  sizeOf?: (input: In) => number;
  isRowFault?: (error: unknown) => boolean;
  /** Starts writing when it may: the batch is what waits by then. */
  inTurn?: (write: () => Promise<void>) => Promise<void>;
}

/** Of one batch: then the database is slow, not a row. */
const MAX_TIME_OUTS = 2;

/**
 * Gathers calls of one turn of the event loop, and those that arrive while the previous batch is being written, and writes
 * them as the next one. An idle caller waits for nobody (a batch of one); under load the batch grows and the cost per
 * call falls.
 * `write` answers one result per input, in order; a result that is an Error fails its own call only. A batch that fails
 * as a whole is written again one by one, so that a row that the database refuses, or takes too long over, does not fail
 * its neighbours. Where there is no connection to be had, those that wait hear it at once: they have waited as long as the
 * batch has.
 */
export class Batcher<In, Out> {
  private waiting: WaitingCall<In, Out>[] = [];
  private writing = false;

  constructor(
    private readonly write: (inputs: In[]) => Promise<(Out | Error)[]>,
    private readonly options: BatcherOptions<In> = { maxSize: 100 },
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
    const { inTurn = (write) => write() } = this.options;
    while (this.waiting.length > 0) await inTurn(() => this.writeBatch(this.takeBatch()));
    this.writing = false;
  }

  private takeBatch(): WaitingCall<In, Out>[] {
    const { maxSize, sizeOf = () => 1 } = this.options;
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
      if (batch.length > 1 && (this.options.isRowFault?.(error) || isTimedOut(error))) await this.writeOneByOne(batch);
      else
        for (const call of isDatabaseOutOfReach(error) ? [...batch, ...this.waiting.splice(0)] : batch)
          call.reject(error);
    }
  }

  private async writeOneByOne(batch: WaitingCall<In, Out>[]): Promise<void> {
    const timeOuts: unknown[] = [];
    for (const call of batch) {
      try {
        if (timeOuts.length === MAX_TIME_OUTS) throw timeOuts[0];
        await this.writeTogether([call]);
      } catch (error) {
        if (isTimedOut(error) && timeOuts.length < MAX_TIME_OUTS) timeOuts.push(error);
        call.reject(error);
      }
    }
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
