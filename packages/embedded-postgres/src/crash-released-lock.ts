import { createHash } from 'node:crypto';
import { createServer, type ListenOptions } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface CrashReleasedLock {
  release(): Promise<void>;
}

const RETRY_MS = 50;

/**
 * Takes a machine-wide lock; null if it is held. The lock is a listening socket without a file, so the operating system
 * releases it when its process ends for any reason, and there are no stale locks to detect.
 */
export function tryLock(name: string): Promise<CrashReleasedLock | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen({ ...lockAddress(name), exclusive: true }, () => {
      resolve({
        release: () =>
          new Promise((done) => {
            server.close(() => {
              done();
            });
          }),
      });
    });
  });
}

export async function waitForLock(name: string, limitMs: number): Promise<CrashReleasedLock> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const lock = await tryLock(name);
    if (lock) return lock;
    if (Date.now() > deadline) {
      throw new Error(
        `Another process has been starting or stopping PostgreSQL in the same data directory for ${limitMs / 1000} s (lock ${name}). Stop it, then start again.`,
      );
    }
    await pause(RETRY_MS);
  }
}

/** Linux has abstract socket names; elsewhere the lock is a loopback port derived from the name. */
export function lockAddress(name: string, platform: NodeJS.Platform = process.platform): ListenOptions {
  if (platform === 'linux') return { path: `\0${name}` };
  return { host: '127.0.0.1', port: 20_000 + (createHash('sha256').update(name).digest().readUInt32BE() % 20_000) };
}
