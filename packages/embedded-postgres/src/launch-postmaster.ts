import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { CHILD_ENVIRONMENT } from './run-program.js';
import type { ClusterStart } from './cluster.js';
import { type Postmaster, waitUntilReady } from './postmaster.js';
import { commandFor } from './run-as.js';
import { openEmptyLog } from './server-log.js';
import { serverArguments } from './server-settings.js';

export interface ServerStart extends ClusterStart {
  settings: Record<string, string>;
  pickPort?: () => Promise<number>;
}

const TRANSIENT_LIMIT_MS = 30_000;
const RETRY_MS = 200;

/**
 * Messages of a failed start that may succeed later: the port was taken in between, or processes of a killed server
 * have not ended yet.
 */
const TRANSIENT = /could not create any TCP\/IP sockets|pre-existing shared memory block/;

/** Starts the server on a free port and resolves when it accepts connections. */
export async function launchPostmaster(start: ServerStart): Promise<Postmaster> {
  const deadline = Date.now() + TRANSIENT_LIMIT_MS;
  for (;;) {
    try {
      return await launchOnce(start);
    } catch (error) {
      if (!TRANSIENT.test(String(error)) || Date.now() > deadline) throw error;
      start.log('PostgreSQL could not start yet, trying again');
      await pause(RETRY_MS);
    }
  }
}

async function launchOnce(start: ServerStart): Promise<Postmaster> {
  const { child, pid } = await spawnServer(start, await (start.pickPort ?? freePort)());
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  try {
    const postmaster = await waitUntilReady(start.directory, pid, () => Promise.resolve(!hasEnded()));
    child.once('exit', (code, signal) => {
      start.log(`PostgreSQL (pid ${pid}) has ended with ${signal ?? `code ${String(code)}`}`);
    });
    return postmaster;
  } catch (error) {
    if (!hasEnded()) child.kill('SIGQUIT');
    throw error;
  }
}

/**
 * Starts the server detached, so that Ctrl-C in the terminal reaches only Node, which still has work to store. The
 * server may outlive Node, so it logs to a file and not to a pipe, which would break. It is unreferenced, so that a
 * forgotten stop() does not keep Node running; the next start finds the server again.
 */
async function spawnServer({ directory, binaries, way, durable, settings }: ServerStart, port: number) {
  const args = serverArguments(directory.cluster, port, durable, settings);
  const { file, args: allArgs, ...identity } = commandFor(way, binaries.postgres, args);
  const log = await openEmptyLog(directory);
  try {
    const child = spawn(file, allArgs, {
      ...identity,
      cwd: '/',
      env: CHILD_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    return { child, pid: child.pid ?? 0 };
  } finally {
    await log.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system chose no port'));
      });
    });
  });
}
