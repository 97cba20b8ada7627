/**
 * Runs specs for its parent, one at a time, each with the mutant that the parent names: the process keeps Jest and the
 * packages, and loads the service and its mutant anew for each mutant (import-typescript.mjs).
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCLI } from 'jest';

import jestConfig from '../../jest.config.mjs';

const rootDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

process.on('message', async ({ spec, mutant }) => {
  if (mutant === undefined) delete process.env.MUTANT;
  else process.env.MUTANT = String(mutant);
  try {
    process.send(await run(spec));
  } catch (error) {
    process.send({ passed: false, failure: String(error) });
  }
});

async function run(spec) {
  const { results } = await runCLI(
    { ...OPTIONS, config: JSON.stringify({ ...CONFIG, roots: rootsOf(spec) }), _: [spec], $0: 'jest' },
    [rootDir],
  );
  const [{ testResults, failureMessage } = { testResults: [] }] = results.testResults;
  const failed = testResults.find(({ status }) => status === 'failed');
  return {
    passed: results.success && results.numPassedTestSuites === 1,
    failure: failed ? `${failed.fullName}: ${failed.failureMessages[0]}` : (failureMessage ?? undefined),
  };
}

/** Other files are not looked for. */
const rootsOf = (spec) => ['<rootDir>/test/jest', `<rootDir>/${dirname(spec)}`];
/** Only what the specs need: the parent has started PostgreSQL. */
const { globalSetup: _, globalTeardown: __, displayName: ___, ...project } = jestConfig.projects[0];
const CONFIG = {
  ...project,
  rootDir,
  testMatch: ['**/*.ts'],
  testTimeout: 180_000,
  reporters: [],
};
const OPTIONS = { runInBand: true, runTestsByPath: true, silent: true, watchman: false };
