import { type CrashReleasedLock, waitForLock } from './crash-released-lock.js';
import type { DataDirectory } from './data-directory.js';
import type { Postmaster } from './postmaster.js';
import { isPostmasterOf } from './process-identity.js';
import { killPostmaster, stopPostmaster } from './stop-postmaster.js';

const WAIT_FOR_OTHER_PROCESS_MS = 360_000;
const CHECK_EVERY_MS = 500;

interface Ownership {
  directory: DataDirectory;
  ownership: CrashReleasedLock;
  relaunch: (port: number) => Promise<Postmaster>;
  log: (line: string) => void;
  onRestart?: (line: string) => void;
}

/** The server that this process has to stop and, with `onRestart`, to start again if it ends before. */
export class OwnedPostmaster {
  private readonly timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    private postmaster: Postmaster,
    readonly url: string,
    private readonly owner: Ownership,
  ) {
    const { onRestart } = owner;
    if (!onRestart) return;
    this.timer = setInterval(() => {
      this.checking ??= this.restartIfEnded(onRestart).finally(() => (this.checking = null));
    }, CHECK_EVERY_MS).unref();
  }

  /** Calls after the first have no further effect. */
  stop(): Promise<void> {
    return (this.stopping ??= this.stopForGood());
  }

  /** Kills the server because another container has taken the directory while this process was paused. */
  async abandon(): Promise<void> {
    clearInterval(this.timer);
    await this.checking;
    const report = this.owner.onRestart ?? this.owner.log;
    report(`Another container has taken over ${this.owner.directory.dir}; stopping PostgreSQL`);
    await killPostmaster(this.owner.directory, this.postmaster).catch((error: unknown) => {
      report(String(error));
    });
  }

  /**
   * Restarts the server if it has ended. A failed start is retried with the next check, for instance when the disk has
   * space again.
   */
  private async restartIfEnded(report: (line: string) => void): Promise<void> {
    const { pid, port } = this.postmaster;
    try {
      if (await isPostmasterOf(this.owner.directory.cluster, pid)) return;
      report(`PostgreSQL (pid ${pid}) has ended; starting it again on port ${port}`);
      await withoutOtherStarts(this.owner.directory, async () => {
        this.postmaster = await this.owner.relaunch(port);
      });
    } catch (error) {
      report(`PostgreSQL did not start: ${String(error)}`);
    }
  }

  private async stopForGood(): Promise<void> {
    clearInterval(this.timer);
    await this.checking;
    await withoutOtherStarts(this.owner.directory, async () => {
      await stopPostmaster(this.owner.directory, this.postmaster);
      this.owner.log(`Stopped PostgreSQL in ${this.owner.directory.dir}`);
      await this.owner.ownership.release();
    });
  }
}

/** Runs the work while no other process starts or stops a server in this data directory. */
export async function withoutOtherStarts<T>({ locks }: DataDirectory, work: () => Promise<T>): Promise<T> {
  const starting = await waitForLock(locks.starting, WAIT_FOR_OTHER_PROCESS_MS);
  try {
    return await work();
  } finally {
    await starting.release();
  }
}
