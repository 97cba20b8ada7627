import { spawn } from 'node:child_process';

import { commandFor, type RunAs } from './run-as.js';

const KEPT_OUTPUT_CHARACTERS = 4000;

/** Runs a program to its end; rejects with what it printed if it fails or takes longer than `limitMs`. */
export function runProgram(way: RunAs, program: string, args: readonly string[], limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const { file, args: allArgs, ...identity } = commandFor(way, program, args);
    const child = spawn(file, allArgs, {
      ...identity,
      cwd: '/',
      env: CHILD_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-KEPT_OUTPUT_CHARACTERS));
    const fail = (reason: string) => {
      reject(new Error(`${program} ${reason}: ${output.trim() || 'no output'}`));
    };
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`took longer than ${limitMs / 1000} s`);
    }, limitMs);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) resolve();
      else fail(`ended with ${signal ?? `code ${String(code)}`}`);
    });
  });
}

/** The whole environment of the child processes: no variable of the user reaches PostgreSQL. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};
