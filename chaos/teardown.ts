import { setTimeout as pause } from 'node:timers/promises';

type Undo = () => Promise<unknown> | undefined;

/** PostgreSQL is given as long to end. */
const WITHIN_MS = 45_000;

/** What has been started and has to be ended, whatever happens. */
export class Teardown {
  private readonly undos: Undo[] = [];
  private running: Promise<void> | undefined;

  get hasBegun(): boolean {
    return this.running !== undefined;
  }

  add(undo: Undo): void {
    this.undos.push(undo);
  }

  /** The last one first; one that fails keeps none of the others from ending. */
  run(): Promise<void> {
    return (this.running ??= this.undoAll());
  }

  private async undoAll(): Promise<void> {
    for (let undo = this.undos.pop(); undo; undo = this.undos.pop()) {
      try {
        await Promise.race([undo(), tooLong()]);
      } catch (error) {
        process.stderr.write(`While stopping: ${String(error)}\n`);
      }
    }
  }
}

async function tooLong(): Promise<never> {
  await pause(WITHIN_MS, undefined, { ref: false });
  throw new Error(`It does not end within ${WITHIN_MS} ms`);
}
