import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How long a test waits for a condition at the most, and three times that for a whole test: generous enough for a machine
 * that is busy with other work. It costs nothing where the condition comes.
 */
process.env.WAIT_LIMIT_MS ??= '60000';

const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
  testRunner: './test/jest/native-runner.mjs',
};

/** `unit` needs nothing but Node; the other projects share one PostgreSQL that the global set-up starts. */
const withDatabase = {
  ...shared,
  globalSetup: './test/jest/global-setup.mjs',
  globalTeardown: './test/jest/global-teardown.mjs',
};

const UNIT = '{src,packages,chaos,dashboard,test/support}/**/*.spec.ts';
const E2E = 'test/e2e/**/*.e2e-spec.ts';

export default {
  testTimeout: 3 * Number(process.env.WAIT_LIMIT_MS),
  workerIdleMemoryLimit: '1GB',
  reporters: ['./test/jest/progress.mjs', 'summary'],
  projects: [
    { ...shared, displayName: 'unit', testMatch: [`<rootDir>/${UNIT}`] },
    { ...withDatabase, displayName: 'e2e', testMatch: [`<rootDir>/${E2E}`] },
    { ...withDatabase, displayName: 'processes', testMatch: ['<rootDir>/test/processes/**/*.spec.ts'] },
    { ...withDatabase, displayName: 'browser', testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'] },
    { ...withDatabase, displayName: 'soak', testMatch: ['<rootDir>/test/soak/*.soak-spec.ts', ...filesWithBudget()] },
    // Only `npm run lighthouse` runs it, for it fetches Lighthouse and takes minutes.
    ...(process.env.LIGHTHOUSE
      ? [{ ...withDatabase, displayName: 'lighthouse', testMatch: ['<rootDir>/test/lighthouse/*.ts'] }]
      : []),
  ],
};

/** The specs that do more in `npm run test:soak` than in `npm test`. */
function filesWithBudget() {
  return ['src', 'packages', 'chaos', 'dashboard/src', 'dashboard/build', 'test/e2e']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('spec.ts') && readFileSync(file, 'utf8').includes('support/budget.js'))
    .map((file) => `<rootDir>/${file}`);
}
