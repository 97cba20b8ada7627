/**
 * For `node --import`: gives every child process the shifted clock of this one, also PostgreSQL and others that are
 * started with an environment of their own.
 */
import { ChildProcess } from 'node:child_process';

const NAMES = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT', 'NODE_OPTIONS'];
const { spawn } = ChildProcess.prototype;

ChildProcess.prototype.spawn = function (options) {
  const own = options.envPairs ?? [];
  const missing = NAMES.filter((name) => process.env[name] && !own.some((pair) => pair.startsWith(`${name}=`)));
  return spawn.call(this, { ...options, envPairs: [...own, ...missing.map((name) => `${name}=${process.env[name]}`)] });
};
