import { isDatabaseOutOfReach } from '../database/postgres-errors.js';

interface WaitingCall<In, Out> {
  input: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers calls that arrive while the previous batch is being written, and writes them as the next one. An idle
 * caller waits for nobody (a batch of one); under load the batch grows and the cost per call falls.
 * `write` answers one result per input, in order; a result that is an Error fails its own call only. A batch that fails
 * as a whole is written again one by one, so that a row that the database refuses does not fail its neighbours. Where there
 * is no connection to be had, those that wait hear it at once: they have waited as long as the batch has.
 */
export class Batcher<In, Out> {
  private waiting: WaitingCall<In, Out>[] = [];
  private writing = false;

  constructor(
    private readonly write: (inputs: In[]) => Promise<(Out | Error)[]>,
    private readonly options: { maxSize: number; isRowFault?: (error: unknown) => boolean } = {
      maxSize: 100,
    },
  ) {}

  add(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (!this.writing) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) await this.writeBatch(this.waiting.splice(0, this.options.maxSize));
    this.writing = false;
  }

  private async writeBatch(batch: WaitingCall<In, Out>[]): Promise<void> {
    try {
      const results = await this.write(batch.map((call) => call.input));
      batch.forEach((call, i) => {
        const result = results[i];
        if (result instanceof Error) call.reject(result);
        else call.resolve(result as Out);
      });
    } catch (error) {
      if (batch.length > 1 && this.options.isRowFault?.(error)) for (const call of batch) await this.writeBatch([call]);
      else
        for (const call of isDatabaseOutOfReach(error) ? [...batch, ...this.waiting.splice(0)] : batch)
          call.reject(error);
    }
  }
}
