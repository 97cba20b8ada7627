import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What /proc counts in, on every Linux of today. */
const CLOCK_TICKS_PER_SECOND = 100;
const ROOT = new URL('../../../', import.meta.url);

/** Starts a program in a separate Node process, of this folder or another. */
export function startProgram(path: string, env: Record<string, string> = {}, folder?: string): ChildProcess {
  const options: ForkOptions = {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', TRUSTED_PROXIES: 'any', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  };
  return fork(resolve(folder ?? fileURLToPath(ROOT), path), options);
}

/** Starts the built service of this folder or another. */
export const startService = (env: Record<string, string>, folder?: string): ChildProcess =>
  startProgram('dist/main.js', { APP_SECRET: 'a secret for benchmarks, 32 characters', ...env }, folder);

/** Resolves to the next message from the process. Rejects if it ends before. */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const message = once(child, 'message', { signal }) as Promise<[T]>;
  const exit = once(child, 'exit', { signal }).then(([code, name]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${name ?? code}`);
  });
  try {
    return (await Promise.race([message, exit]))[0];
  } finally {
    waiting.abort();
    await Promise.allSettled([message, exit]);
  }
}

/** Resolves when the process has ended by itself. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const exited = ended(child);
  child.kill(signal);
  await exited;
}

export async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    if (response?.ok) return;
    await pause(100);
  }
  throw new Error(`${url} did not become ready`);
}

/** Processor time that the process has used so far, in user and in kernel mode; Linux only. */
export async function cpuSeconds(child: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) / CLOCK_TICKS_PER_SECOND;
}

/** Resident memory of a process in MB; Linux only. */
export async function residentMegabytes(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
