// Runs the tests of a tier: `node scripts/test.mjs <tier> [arguments of Jest]`. CONTRIBUTING.md says what each is for.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CORES = availableParallelism();

/** Leases of killed processes end after half a minute of real time, and a soak test does ten times the work of a test. */
const PATIENT = { WAIT_LIMIT_MS: '180000' };

/** A third of the time of an e2e file is waiting, as for a time-out of a relay: one worker more than cores. */
const TIERS = {
  unit: { projects: ['unit'], workers: CORES, needsNoBuild: true },
  default: { projects: ['unit', 'e2e'], workers: CORES + 1 },
  processes: { projects: ['processes'], workers: 1, variables: PATIENT },
  browser: { projects: ['browser'], workers: Math.min(CORES, 2) },
  soak: { projects: ['soak'], workers: CORES, variables: { ...PATIENT, SOAK: 'true' } },
};

/** What `npm run test:all` runs. The processes of a test mostly wait, so other tiers run beside them. */
const FIRST = ['default'];
const THEN_TOGETHER = [['processes'], ['browser', 'soak']];

const [tier, ...options] = process.argv.slice(2);
if (!TIERS[tier]?.needsNoBuild) {
  const program = ['scripts/build-if-stale.mjs', 'dist/main.js', 'dist/dashboard/index.html'];
  const { status } = spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
process.exitCode = await (tier === 'all' ? runAll() : runJest(tier, options));

async function runJest(name, extra) {
  const { projects, workers, variables } = TIERS[name];
  const selected = extra.includes('--selectProjects') ? [] : ['--selectProjects', ...projects];
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      ...selected,
      `--maxWorkers=${workers}`,
      ...extra,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...variables } },
  );
  const [status] = await once(jest, 'exit');
  return status ?? 1;
}

/** Each tier once, whatever the ones before it gave; the last lines name what failed and count the tests of all. */
async function runAll() {
  const outcomes = await runInTurn(FIRST);
  outcomes.push(...(await Promise.all(THEN_TOGETHER.map(runInTurn))).flat());
  const sum = (count) => outcomes.map(count).reduce((a, b) => a + b);
  for (const failure of outcomes.flatMap(({ failures }) => failures)) console.log(failure);
  for (const { name, passed, failed, minutes } of outcomes)
    console.log(`${name}: ${passed} passed, ${failed} failed in ${minutes.toFixed(1)} min`);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) => sum((outcome) => outcome[key]));
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return outcomes.find(({ status }) => status !== 0)?.status ?? 0;
}

async function runInTurn(names) {
  const outcomes = [];
  for (const name of names) outcomes.push(await runForResult(name));
  return outcomes;
}

async function runForResult(name) {
  const folder = mkdtempSync(join(tmpdir(), 'test-results-'));
  const file = join(folder, 'result.json');
  const startedAt = performance.now();
  const status = await runJest(name, ['--json', `--outputFile=${file}`, ...options]);
  const result = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  return {
    name,
    status,
    minutes: (performance.now() - startedAt) / 60_000,
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests,
    failures: result.testResults.flatMap(failuresOf).map((failure) => `${name}: ${failure}`),
  };
}

/** The failed tests of a file in Jest's JSON, each with the first line of its error, or why the file did not run. */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0] ?? '')}`);
  if (status === 'failed' && failed.length === 0) failed.push(firstLine(message));
  return failed.map((failure) => `FAILED ${relative(root, name)} › ${failure}`);
}

function firstLine(text) {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0];
}
