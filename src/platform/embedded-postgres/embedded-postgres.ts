import { launchPostmaster } from './launch-postmaster.js';
import { findBinaries } from './binaries.js';
import { type CrashReleasedLock, tryLock, waitForLock } from './crash-released-lock.js';
import { ensureCluster, readPassword } from './cluster.js';
import { type DataDirectory, openDataDirectory } from './data-directory.js';
import { chooseRunAs, refuseDirectoryOfAnotherUser, waysToRun } from './choose-run-as.js';
import type { RunAs } from './run-as.js';
import { findPostmaster, type Postmaster, waitUntilReady } from './postmaster.js';
import { ensureServiceDatabase, urlOf } from './service-database.js';
import { stopPostmaster } from './stop-postmaster.js';

export interface EmbeddedPostgresOptions {
  /** Created if missing; may hold other files too. */
  dataDir: string;
  /** False gives up crash safety for speed; for tests. Default true. */
  durable?: boolean;
  /** PostgreSQL settings that replace or join the defaults of server-settings.ts. */
  settings?: Record<string, string>;
  log?: (line: string) => void;
  /** How the server may be run, best first; the first that works here is taken. Default: waysToRun(). */
  runAs?: readonly RunAs[];
}

export interface EmbeddedPostgres {
  /** postgres://… of the database named "service". Holds the password: not for logs. */
  url: string;
  /** Ends the server, unless it was started by another process that still runs. Can be called twice. */
  stop(): Promise<void>;
}

type Start = Omit<EmbeddedPostgresOptions, 'dataDir'> & { place: DataDirectory; log: (line: string) => void };

const WAIT_FOR_OTHER_PROCESS_MS = 360_000;

/**
 * Starts a private PostgreSQL on 127.0.0.1 with its files in `dataDir`, or joins the one that another living process
 * runs from there. A server whose process has died is adopted as it runs, with the settings it was started with.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const start: Start = { log: () => undefined, ...options, place: await openDataDirectory(options.dataDir) };
  await refuseDirectoryOfAnotherUser(start.place);
  const starting = await waitForLock(start.place.locks.starting, WAIT_FOR_OTHER_PROCESS_MS);
  try {
    const ownership = await tryLock(start.place.locks.owner);
    if (!ownership) return await join(start);
    try {
      return await own(start, ownership);
    } catch (error) {
      await ownership.release();
      throw error;
    }
  } finally {
    await starting.release();
  }
}

async function join({ place, log }: Start): Promise<EmbeddedPostgres> {
  const postmaster = await findPostmaster(place.cluster);
  if (!postmaster) {
    throw new Error(
      `The PostgreSQL in ${place.dir} has ended, but the process that started it still runs. Stop that process, then start again.`,
    );
  }
  const url = await open(place, await waitUntilReady(place, postmaster.pid));
  log(`Joined the PostgreSQL that another process runs in ${place.dir}, port ${postmaster.port}`);
  return { url, stop: () => Promise.resolve() };
}

async function own(start: Start, ownership: CrashReleasedLock): Promise<EmbeddedPostgres> {
  const { postmaster, url } = (await adopt(start)) ?? (await launch(start));
  let stopping: Promise<void> | undefined;
  return { url, stop: () => (stopping ??= stop(start, postmaster, ownership)) };
}

/** Takes over a server that outlived its process; ends it and answers null if it is of no use. */
async function adopt({ place, log }: Start): Promise<Running | null> {
  const orphan = await findPostmaster(place.cluster);
  if (!orphan) return null;
  try {
    const postmaster = await waitUntilReady(place, orphan.pid);
    const url = await open(place, postmaster);
    log(`Adopted the PostgreSQL that was left running in ${place.dir}, port ${postmaster.port}`);
    return { postmaster, url };
  } catch (error) {
    log(`Stopping the PostgreSQL that was left running in ${place.dir}: ${String(error)}`);
    await stopPostmaster(place, orphan);
    // If it was killed meanwhile, its pid file is left, and PostgreSQL would refuse to start while its pid is a zombie.
    await findPostmaster(place.cluster);
    return null;
  }
}

interface Running {
  postmaster: Postmaster;
  url: string;
}

async function launch({ place, durable = true, settings = {}, log, runAs }: Start): Promise<Running> {
  const binaries = await findBinaries();
  const way = await chooseRunAs(runAs ?? (await waysToRun(place)), place, binaries);
  await ensureCluster({ place, binaries, way, durable, log });
  const postmaster = await launchPostmaster({ place, binaries, way, durable, settings, log });
  try {
    const url = await open(place, postmaster);
    log(`Started PostgreSQL in ${place.dir}, port ${postmaster.port} (${way.name})`);
    return { postmaster, url };
  } catch (error) {
    await stopPostmaster(place, postmaster);
    throw error;
  }
}

async function open(place: DataDirectory, { port }: Postmaster): Promise<string> {
  const password = await readPassword(place);
  await ensureServiceDatabase(port, password);
  return urlOf('service', port, password);
}

async function stop({ place, log }: Start, postmaster: Postmaster, ownership: CrashReleasedLock): Promise<void> {
  const starting = await waitForLock(place.locks.starting, WAIT_FOR_OTHER_PROCESS_MS);
  try {
    await stopPostmaster(place, postmaster);
    log(`Stopped PostgreSQL in ${place.dir}`);
  } finally {
    await ownership.release();
    await starting.release();
  }
}
