import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { cloneDatabase, MIGRATED, templateUrl } from '../support/database.js';
import { findInstalledPostgres, InstalledPostgres } from '../support/installed-postgres.js';
import { PATIENT } from '../support/patient.js';
import { freePort } from '../support/redis.js';
import { prepareTemplates } from '../support/template-database.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const programs = findInstalledPostgres();
/** The embedded PostgreSQL comes without pg_dump. */
const withPgDump = programs === null ? describe.skip : describe;

const PAGE = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const linesOf = (runbook: string) =>
  new RegExp(`^### Runbook: ${runbook}\n\n\`\`\`sh\n([^\`]*)\`\`\`$`, 'm')
    .exec(PAGE)![1]!
    .replaceAll('dist/', `${ROOT}dist/`);

/** The supervisor of the runbooks, and an installation with an account and a backup that runs when they begin. */
const SUPERVISOR = `
  set -euo pipefail
  pids=()
  start() {
    node ${ROOT}dist/main.js >>log 2>&1 &
    pids+=($!)
    until node ${ROOT}dist/main.js health >/dev/null 2>&1; do kill -0 "\${pids[-1]}"; sleep 0.3; done
  }
  stop() { kill "\${pids[@]}"; wait "\${pids[@]}"; pids=(); }
  trap 'kill "\${pids[@]}" 2>/dev/null || true; wait; cat log >&2' EXIT
  node ${ROOT}dist/src/commands/main.js account:create --name Acme --email ada@example.com --password 'ada password'
  pg_dump --format=custom --file=service.dump "$DATABASE_URL"
  start
`;

withPgDump('The runbook', () => {
  let server: InstalledPostgres;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'runbooks-spec-'));
    server = await InstalledPostgres.start(programs!);
    await prepareTemplates(server.url);
  });
  afterAll(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  it.each([
    ['scale out', 'stop'],
    ['upgrade', 'test -s before-upgrade.dump'],
    ['restore', `test "$(psql -At "$DATABASE_URL" -c 'SELECT name FROM accounts')" = Acme; stop`],
    ['change the APP_SECRET', 'unset APP_SECRET_PREVIOUS; stop; start; node dist/main.js health --ready; stop'],
  ])('for %s does it, in at most ten lines', async (runbook, check) => {
    const lines = linesOf(runbook);
    expect(lines.trim().split('\n').length).toBeLessThanOrEqual(10);
    const name = runbook.replaceAll(' ', '_').toLowerCase();
    await cloneDatabase(server.url, name, MIGRATED);
    const [port, api, worker] = [await freePort(), await freePort(), await freePort()];
    const script = [SUPERVISOR, lines, check.replaceAll('dist/', `${ROOT}dist/`)]
      .join('\n')
      .replaceAll('PORT=3001', `PORT=${api}`)
      .replaceAll('PORT=3002', `PORT=${worker}`);
    await run('bash', ['--norc', '-c', script], {
      cwd: directory,
      env: {
        PATH: `${programs!}:${process.env.PATH}`,
        ...PATIENT,
        DATABASE_URL: templateUrl(server.url, name),
        APP_SECRET: 'a secret of the tests, of thirty-two characters and more',
        PORT: String(port),
        LOG_LEVEL: 'warn',
      },
    });
  });
});
