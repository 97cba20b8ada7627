/**
 * Breaks the service in one place at a time and runs the specs that cover it: one of them must fail.
 *
 *   npm run test:mutants -- src/modules/<module>… [--seed <n>] [--count <n>]   places picked at random
 *   npm run test:mutants -- --providers                                        those of the contract of providers
 *   npm run test:tenants -- [src/modules/<module>…]                            each account condition
 *
 * Further options: `--record` runs the specs that the coverage map lacks; `--specs <pattern>` and `--at-most <n>` limit
 * what is run for a mutant; `--continue` leaves out what an earlier run has seen killed; `--line <n>` picks a line.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { importTypeScript } from '../../test/support/import-typescript.mjs';
import { CoverageMap } from './coverage-map.mjs';
import { reasonOf } from './equivalent.mjs';
import { mutantsOf } from './mutations.mjs';
import { CONTRACT, providerMutants } from './providers.mjs';
import { SpecRunner } from './spec-runner.mjs';
import { tenantMutantsOf } from './tenant-clauses.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIRECTORY = join(ROOT, '.mutants');
const MAP = join(DIRECTORY, 'map');
const KILLERS = join(DIRECTORY, 'killers.json');
/** Run before the others: they put the same data into two accounts. */
const OF_TENANTS = /tenants|isolation/;
const SLOWER = 5;
const START_MS = 300_000;

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    tenants: { type: 'boolean', default: false },
    providers: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    continue: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    specs: { type: 'string', default: '' },
    'at-most': { type: 'string', default: 'Infinity' },
    line: { type: 'string' },
  },
});
process.chdir(ROOT);
mkdirSync(MAP, { recursive: true });
const sources = readSources();
if (options.record) record(new CoverageMap(MAP));
else if (options.providers) await runProviderMutants();
else await runMutants();

function listFiles(...directories) {
  const options = ['ls-files', '-co', '--exclude-standard', ...directories];
  return execFileSync('git', options, { encoding: 'utf8' }).split('\n').filter(existsSync);
}

function readSources() {
  const names = listFiles('src').filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file));
  return Object.fromEntries(names.sort().map((file) => [file, readFileSync(file, 'utf8')]));
}

/** Runs what the map lacks, in files of 12, for an interrupted run to go on with. */
function record(map) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'test/e2e'], {
    encoding: 'utf8',
  });
  const missing = listed
    .split('\n')
    .filter((file) => file.endsWith('spec.ts') && new RegExp(options.specs).test(file) && !map.has(file));
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  for (let from = 0; from < missing.length; from += 12) {
    const specs = missing.slice(from, from + 12);
    try {
      execFileSync('node', [...jest, '-i', '--testTimeout=180000', '--runTestsByPath', ...specs], {
        stdio: 'inherit',
        env: { ...process.env, COVERAGE: '1', COVERAGE_MAP: MAP },
      });
    } catch {
      process.stderr.write('A spec that fails is not in the map: repair it, and record again.\n');
    }
  }
}

/** Each must be noticed by the contract suite alone, which needs no database. */
async function runProviderMutants() {
  const mutants = providerMutants((name) => (sources[name] ??= readFileSync(name, 'utf8')));
  const file = announce(mutants);
  const runner = new SpecRunner();
  let survived = 0;
  try {
    for (const [number, mutant] of mutants.entries()) {
      const { passed, failure = '', isUnreliable } = await runner.run(CONTRACT, number, START_MS);
      if (isUnreliable) throw new Error(`${CONTRACT} fails without a mutant as well`);
      if (passed) survived += 1;
      const text = failure.split('\n')[0].slice(0, 200);
      print(`${number + 1}/${mutants.length}`, mutant, { kind: passed ? 'survived' : 'killed', text });
    }
  } finally {
    await runner.stop();
    rmSync(file);
  }
  process.stdout.write(`${mutants.length - survived} killed, ${survived} survived\n`);
  if (survived > 0) process.exitCode = 1;
}

/** Writes them where the processes of the specs read them. Returns the file. */
function announce(mutants) {
  const file = join(DIRECTORY, `mutants-${process.pid}.json`);
  writeFileSync(file, JSON.stringify({ list: mutants, importers: importersOf(mutants) }));
  process.env.MUTANTS = file;
  return file;
}

async function runMutants() {
  const map = new CoverageMap(MAP);
  if (map.size === 0) throw new Error('There is no coverage map: run this with --record first.');
  const mutants = pick();
  const file = announce(mutants);
  const { startTestPostgres, stopTestPostgres } = await importTypeScript('./test-postgres.ts');
  await startTestPostgres();
  const runner = new SpecRunner();
  const killers = readKillers();
  const counts = {};
  try {
    for (const [number, mutant] of mutants.entries()) {
      const key = keyOf(mutant);
      if (options.continue && killers[key]) continue;
      const startedAt = Date.now();
      const outcome = await judge({ map, runner, mutant, number, killer: killers[key] });
      counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
      print(`${number + 1}/${mutants.length} ${Math.round((Date.now() - startedAt) / 1_000)} s`, mutant, outcome);
      writeFileSync(KILLERS, JSON.stringify({ ...readKillers(), [key]: outcome.spec }, null, 1));
    }
  } finally {
    await runner.stop();
    await stopTestPostgres();
    rmSync(file);
  }
  const text = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  process.stdout.write(`${text.join(', ')}\n`);
  if (counts.survived || counts['not covered']) process.exitCode = 1;
}

async function judge({ map, runner, mutant, number, killer }) {
  const reason = reasonOf(mutant, sources[mutant.file]);
  if (reason) return { kind: 'equivalent', text: reason };
  const area = mutant.file.split('/')[2].replace(/(?:ing|s)$/, '');
  const likely = options.tenants ? OF_TENANTS : new RegExp(area);
  const rank = ({ spec }) => (spec === killer ? 0 : likely.test(spec) ? 1 : 2);
  const covering = map.coveringOf(mutant, sources[mutant.file], sources);
  if (covering.length === 0) return { kind: 'not covered', text: '' };
  const specs = covering
    .filter(({ spec }) => new RegExp(options.specs).test(spec))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, Number(options['at-most']));
  const unreliable = [];
  for (const { spec, duration } of specs) {
    const { passed, failure, isUnreliable } = await runner.run(spec, number, START_MS + SLOWER * duration);
    if (isUnreliable) unreliable.push(spec);
    if (!passed) return { kind: 'killed', spec, text: `by ${spec}: ${failure?.split('\n')[0].slice(0, 200)}` };
  }
  const failing = unreliable.length > 0 ? `; these fail without it as well: ${unreliable.join(', ')}` : '';
  return { kind: 'survived', text: `${specs.length} of ${covering.length} specs${failing}` };
}

function pick() {
  const under = paths.length > 0 ? paths : ['src'];
  const files = Object.keys(sources).filter((file) => under.some((path) => file.startsWith(path)));
  const all = files.flatMap((file) => (options.tenants ? tenantMutantsOf : mutantsOf)(file, sources[file]));
  if (options.line) return all.filter((mutant) => lineOf(mutant) === Number(options.line));
  if (options.tenants) return all;
  const random = randomOf(Number(options.seed));
  const shuffled = all.map((mutant) => [random(), mutant]).sort(([a], [b]) => a - b);
  return shuffled.slice(0, Number(options.count)).map(([, mutant]) => mutant);
}

/** By file: the modules that import it, directly or not. */
function importersOf(mutants) {
  const importers = new Map();
  for (const file of listFiles('src', 'test').filter((name) => name.endsWith('.ts'))) {
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.[^']+)\.js'/g)) {
      const imported = join(dirname(file), `${specifier}.ts`);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const all = (file) => {
    const found = new Set([file]);
    for (const name of found) for (const importer of importers.get(name) ?? []) found.add(importer);
    return [...found].slice(1);
  };
  return Object.fromEntries(mutants.map(({ file }) => [file, all(file)]));
}

/** Mulberry32: the same mutants for the same seed. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function readKillers() {
  try {
    return JSON.parse(readFileSync(KILLERS, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/** Stays the same when other lines of the file change: the text, where it is among its equals, and what replaces it. */
function keyOf({ file, start, end, replacement }) {
  const source = sources[file];
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, `${source}\n`.indexOf('\n', end)).trim();
  const column = start - source.lastIndexOf('\n', start - 1);
  const before = source.slice(0, start).split(line.split('\n')[0]).length;
  return `${file} | ${line} | ${column}.${before} | ${replacement}`;
}

function lineOf({ file, start }) {
  return sources[file].slice(0, start).split('\n').length;
}

function print(position, mutant, { kind, text }) {
  const { file, start, end, replacement } = mutant;
  const source = sources[file];
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const to = `${source}\n`.indexOf('\n', end);
  const show = (sign, code) => code.replace(/^/gm, `    ${sign} `);
  const after = source.slice(from, start) + replacement + source.slice(end, to);
  const diff = `${show('-', source.slice(from, to))}\n${show('+', after)}`;
  process.stdout.write(`${position} ${file}:${lineOf(mutant)} ${kind} ${text}\n${diff}\n`);
}
