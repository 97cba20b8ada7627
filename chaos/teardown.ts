import { setTimeout as pause } from 'node:timers/promises';

type Undo = () => Promise<unknown> | undefined;

/** Long enough for PostgreSQL to stop. */
const TIMEOUT_MS = 45_000;

/** Undoes everything that was started, whatever happens. */
export class Teardown {
  private readonly undos: Undo[] = [];
  private running: Promise<void> | undefined;

  get hasBegun(): boolean {
    return this.running !== undefined;
  }

  add(undo: Undo): void {
    this.undos.push(undo);
  }

  /** Runs in reverse order. A failure does not keep the others from running. */
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
  await pause(TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`It does not end within ${TIMEOUT_MS} ms`);
}
