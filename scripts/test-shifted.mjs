// Runs tests with the clock of all their processes, PostgreSQL's too, so many days ahead:
// `npm run test:shifted -- 400 [tier] [arguments of Jest]`. Needs libfaketime (Debian's package `faketime`).
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [days, tier = 'default', ...options] = process.argv.slice(2);
if (!/^-?\d+$/.test(days ?? '')) throw new Error('Usage: npm run test:shifted -- <days> [tier] [arguments of Jest]');

const library = ['/usr/lib', '/usr/local/lib']
  .flatMap((folder) => [folder, ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])])
  .map((folder) => join(folder, 'faketime/libfaketimeMT.so.1'))
  .find((file) => existsSync(file));
if (!library) throw new Error('libfaketime is missing: apt-get install faketime');

const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('test.mjs', import.meta.url)), tier, ...options],
  {
    stdio: 'inherit',
    // Only the time of day is shifted, as where somebody sets a clock: neither durations nor the times of files.
    env: {
      ...process.env,
      LD_PRELOAD: library,
      FAKETIME: `${Number(days) < 0 ? '' : '+'}${days}d`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('../test/support/shift-children.mjs', import.meta.url).href}`,
    },
  },
);
process.exitCode = status ?? 1;
