import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

export interface LockTimes {
  heartbeatMs: number;
  /** A holder that shows no sign of life for this time is dead. The waiting process measures it by its own clock. */
  silentMs: number;
  /** Longer than `heartbeatMs`: a former holder that is still alive notices in this time that it has lost the lock. */
  settleMs: number;
}

const TIMES: LockTimes = { heartbeatMs: 2_000, silentMs: 15_000, settleMs: 5_000 };
const POLL_MS = 200;

interface Wanted {
  /** Called when another process has taken the lock, because this one was paused for too long. */
  onLost: () => void;
  report?: ((line: string) => void) | undefined;
  place?: string;
  times?: LockTimes;
}

interface Sight {
  text: string;
  touchedMs: number;
}

/**
 * A lock on a directory that holds across containers and hosts, where a lock of the operating system does not. It is a
 * file that its holder touches every two seconds. In the place of its holder, where the caller knows that the holder is
 * dead, it is taken over at once; elsewhere when it has not been touched for a while. The file is only ever created,
 * replaced and removed as a whole, so it is never seen half written.
 */
export class DirectoryLock {
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly file: string,
    private readonly text: string,
    { onLost, times = TIMES }: Wanted,
  ) {
    this.timer = setInterval(() => void this.beat(onLost), times.heartbeatMs).unref();
  }

  /** Throws if a process in another place holds it. */
  static async take(file: string, wanted: Wanted): Promise<DirectoryLock> {
    const { place = await thisPlace(), times = TIMES, report } = wanted;
    const id = randomUUID();
    const text = JSON.stringify({ id, host: hostname(), place });
    const own = `${file}.${id}`;
    await writeFile(own, text, { mode: 0o600 });
    try {
      while (!(await isLinked(own, file))) {
        const former = await look(file);
        if (former === null) continue; // it has just been released
        const { host, place: theirs } = read(former.text);
        if (theirs === place) {
          await rename(own, file);
          break;
        }
        report?.(`Waiting ${times.silentMs / 1_000} s for a sign of life of the PostgreSQL that host ${host} started`);
        const sight = await watch(file, former, times.silentMs);
        if (sight === null) continue;
        if (sight !== former) throw inUse(file, host);
        await rename(own, file);
        await pause(times.settleMs);
        if ((await look(file))?.text !== text) throw inUse(file, 'that started at the same time');
        break;
      }
    } finally {
      await rm(own, { force: true });
    }
    return new DirectoryLock(file, text, wanted);
  }

  /** False if another process has taken it. */
  async isHeld(): Promise<boolean> {
    return (await look(this.file))?.text === this.text;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    if (await this.isHeld()) await rm(this.file, { force: true });
  }

  /** A heartbeat that fails, for instance because the disk does not answer, is left to the next one. */
  private async beat(onLost: () => void): Promise<void> {
    const sight = await look(this.file).catch(() => undefined);
    if (sight === undefined) return;
    if (sight?.text === this.text) {
      const now = new Date();
      await utimes(this.file, now, now).catch(() => undefined);
      return;
    }
    clearInterval(this.timer);
    onLost();
  }
}

/** Processes with the same place see each other's pids and the locks of the operating system. */
async function thisPlace(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const [boot, pids, network] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink('/proc/self/ns/pid'),
    readlink('/proc/self/ns/net'),
  ]);
  return [boot.trim(), pids, network].join(' ');
}

async function isLinked(existing: string, file: string): Promise<boolean> {
  try {
    await link(existing, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

async function look(file: string): Promise<Sight | null> {
  try {
    const text = await readFile(file, 'utf8');
    return { text, touchedMs: (await stat(file)).mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** Returns `sight` if the file has not changed for that time, otherwise its new state at once; null if it is gone. */
async function watch(file: string, sight: Sight, silentMs: number): Promise<Sight | null> {
  const deadline = performance.now() + silentMs;
  while (performance.now() < deadline) {
    await pause(Math.min(POLL_MS, silentMs));
    const seen = await look(file);
    if (seen?.text !== sight.text || seen.touchedMs !== sight.touchedMs) return seen;
  }
  return sight;
}

/** A crash of the host can leave an empty file. */
function read(text: string): { host: string; place: string | null } {
  try {
    return JSON.parse(text) as { host: string; place: string };
  } catch {
    return { host: 'unknown', place: null };
  }
}

const inUse = (file: string, host: string): Error =>
  new Error(
    `Another container or host (${host}) runs the PostgreSQL of this directory: its lock ${file} is in use. Stop it, then start again.`,
  );
