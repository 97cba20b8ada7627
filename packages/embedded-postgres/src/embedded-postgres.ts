import { launchPostmaster, type ServerStart } from './launch-postmaster.js';
import { findBinaries } from './binaries.js';
import { type CrashReleasedLock, tryLock } from './crash-released-lock.js';
import { ensureCluster, readPassword } from './cluster.js';
import { type DataDirectory, openDataDirectory } from './data-directory.js';
import { DirectoryLock } from './directory-lock.js';
import { chooseRunAs, refuseDirectoryOfAnotherUser, waysToRun } from './choose-run-as.js';
import type { RunAs } from './run-as.js';
import { OwnedPostmaster, withoutOtherStarts } from './owned-postmaster.js';
import { findPostmaster, type Postmaster, readPostmaster, waitUntilReady } from './postmaster.js';
import { ensureServiceDatabase, urlOf } from './service-database.js';
import { stopPostmaster } from './stop-postmaster.js';

export interface EmbeddedPostgresOptions {
  /** Created if missing; may hold other files too. */
  dataDir: string;
  /** False gives up crash safety for speed; for tests. Default true. */
  durable?: boolean;
  /** PostgreSQL settings, which override the defaults of server-settings.ts. */
  settings?: Record<string, string>;
  log?: (line: string) => void;
  /** Starts the server again on its port whenever it has ended, and reports it here. Default: it stays down. */
  onRestart?: (line: string) => void;
  /** Ways to run the server, best first; the first one that works is used. Default: waysToRun(). */
  runAs?: readonly RunAs[];
}

export interface EmbeddedPostgres {
  /** postgres://… of the database "service", including the password: not for logs. */
  url: string;
  /** Stops the server, unless another process that still runs has started it. Idempotent. */
  stop(): Promise<void>;
}

type Start = Omit<EmbeddedPostgresOptions, 'dataDir'> & { directory: DataDirectory; log: (line: string) => void };

/**
 * Starts a private PostgreSQL on 127.0.0.1 with its files in `dataDir`, or joins the server that another running
 * process has started there. A server whose process has died is adopted with the settings it was started with.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const start: Start = { log: () => undefined, ...options, directory: await openDataDirectory(options.dataDir) };
  await refuseDirectoryOfAnotherUser(start.directory);
  return withoutOtherStarts(start.directory, async () => {
    const ownership = await tryLock(start.directory.locks.owner);
    if (!ownership) return join(start);
    try {
      return await own(start, ownership);
    } catch (error) {
      await ownership.release();
      throw error;
    }
  });
}

async function join({ directory, log }: Start): Promise<EmbeddedPostgres> {
  const postmaster = await readPostmaster(directory.cluster);
  if (!postmaster) {
    throw new Error(
      `The PostgreSQL in ${directory.dir} has ended, but the process that started it still runs. Stop that process, then start again.`,
    );
  }
  const url = await open(directory, await waitUntilReady(directory, postmaster.pid));
  log(`Joined the PostgreSQL that another process runs in ${directory.dir}, port ${postmaster.port}`);
  return { url, stop: () => Promise.resolve() };
}

async function own(start: Start, ownership: CrashReleasedLock): Promise<EmbeddedPostgres> {
  let owned: OwnedPostmaster | undefined;
  const lock = await DirectoryLock.take(start.directory.locks.file, {
    report: start.onRestart,
    onLost: () => void owned?.abandon(),
  });
  const locks = { release: () => lock.release().then(() => ownership.release()) };
  try {
    owned = await ownServer(start, locks);
    if (!(await lock.isHeld())) {
      await owned.abandon();
      throw new Error(`Another container has taken over ${start.directory.dir} during the start`);
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
  return { url: owned.url, stop: () => owned.stop() };
}

async function ownServer(start: Start, ownership: CrashReleasedLock): Promise<OwnedPostmaster> {
  const { postmaster, url } = (await adopt(start)) ?? (await launch(start));
  const relaunch = async (port: number) => {
    await findPostmaster(start.directory.cluster); // removes the pid file of the server that has ended
    return (await launch({ ...start, pickPort: () => Promise.resolve(port) })).postmaster;
  };
  return new OwnedPostmaster(postmaster, url, { ...start, ownership, relaunch });
}

/** Takes over a server that has outlived its process. Stops it and returns null if it cannot be used. */
async function adopt({ directory, log }: Start): Promise<Running | null> {
  const orphan = await findPostmaster(directory.cluster);
  if (!orphan) return null;
  try {
    const postmaster = await waitUntilReady(directory, orphan.pid);
    const url = await open(directory, postmaster);
    log(`Adopted the PostgreSQL that was left running in ${directory.dir}, port ${postmaster.port}`);
    return { postmaster, url };
  } catch (error) {
    log(`Stopping the PostgreSQL that was left running in ${directory.dir}: ${String(error)}`);
    await stopPostmaster(directory, orphan);
    // If it was killed, its pid file remains, and PostgreSQL would refuse to start while its pid is a zombie.
    await findPostmaster(directory.cluster);
    return null;
  }
}

interface Running {
  postmaster: Postmaster;
  url: string;
}

async function launch({
  directory,
  durable = true,
  settings = {},
  log,
  runAs,
  pickPort,
}: Start & Pick<ServerStart, 'pickPort'>): Promise<Running> {
  const binaries = await findBinaries();
  const way = await chooseRunAs(runAs ?? (await waysToRun(directory)), directory, binaries);
  await ensureCluster({ directory, binaries, way, durable, log });
  const postmaster = await launchPostmaster({ directory, binaries, way, durable, settings, log, pickPort });
  try {
    const url = await open(directory, postmaster);
    log(`Started PostgreSQL in ${directory.dir}, port ${postmaster.port} (${way.name})`);
    return { postmaster, url };
  } catch (error) {
    await stopPostmaster(directory, postmaster);
    throw error;
  }
}

async function open(directory: DataDirectory, { port }: Postmaster): Promise<string> {
  const password = await readPassword(directory);
  await ensureServiceDatabase(port, password);
  return urlOf('service', port, password);
}
