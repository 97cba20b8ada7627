// Builds unless dist/ is newer than all sources, so that a command does not wait for a needless build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCES = [
  'src',
  'migrations',
  'packages/embedded-postgres/src',
  'scripts/bundle.mjs',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'dashboard/build',
  'dashboard/index.html',
  'dashboard/src',
];
const BUILT = process.argv.slice(2).map((file) => join(root, file));

const isStale = BUILT.some((file) => !existsSync(file)) || newest(SOURCES) > Math.min(...BUILT.map(changedAt));
if (isStale) {
  process.stderr.write('Building the service and the dashboard (once, about a minute) …\n');
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: ['ignore', 2, 2] });
  process.exitCode = status ?? 1;
}

function changedAt(file) {
  return statSync(file).mtimeMs;
}

/** Includes directories, whose time changes when a file is removed. `schema.d.ts` of the dashboard is generated. */
function newest(names) {
  const files = names.map((name) => join(root, name)).filter(existsSync);
  const inside = files
    .filter((file) => statSync(file).isDirectory())
    .flatMap((directory) => readdirSync(directory, { recursive: true }).map((name) => join(directory, name)))
    .filter((file) => !/\.(?:spec|d)\.ts$/.test(file));
  return Math.max(...[...files, ...inside].map(changedAt));
}
