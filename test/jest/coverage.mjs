/**
 * What a spec covers: the statements of `src` that ran (import-typescript.mjs has them counted), and the SQL that was
 * sent. Jest reports the statements with `--coverage`; scripts/mutants needs both for each spec, in the directory
 * COVERAGE_MAP.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

import pg from 'pg';

const statements = new Set();

/** Returns what is to be called with the path of the spec and its result. */
export function startRecording() {
  const startedAt = Date.now();
  resetCounters();
  statements.clear();
  recordStatements();
  return (path, { numFailingTests, testExecError }) => {
    const coverage = globalThis.__coverage__ ?? {};
    const passed = numFailingTests === 0 && !testExecError;
    if (process.env.COVERAGE_MAP && passed) write(path, Date.now() - startedAt, coverage);
    return coverage;
  };
}

/** What a module did when it was loaded, by an earlier spec of this process, is not the work of this one. */
function resetCounters() {
  for (const { s, f, b } of Object.values(globalThis.__coverage__ ?? {})) {
    for (const counters of [s, f]) for (const id of Object.keys(counters)) counters[id] = 0;
    for (const counts of Object.values(b)) counts.fill(0);
  }
}

const { prototype } = pg.Client;
const { query } = prototype;

function recordStatements() {
  prototype.query = function recorded(statement, ...rest) {
    statements.add(typeof statement === 'string' ? statement : statement?.text);
    return query.call(this, statement, ...rest);
  };
}

function write(path, duration, coverage) {
  const root = process.cwd();
  const covered = Object.entries(coverage).map(([file, { s }]) => [
    relative(root, file),
    Object.keys(s).filter((id) => s[id] > 0),
  ]);
  const spec = relative(root, path);
  const entry = { spec, duration, covered: Object.fromEntries(covered), sql: [...statements].filter(Boolean) };
  mkdirSync(process.env.COVERAGE_MAP, { recursive: true });
  writeFileSync(
    join(process.env.COVERAGE_MAP, `${spec.replaceAll('/', '~')}.json.gz`),
    gzipSync(JSON.stringify(entry)),
  );
}
