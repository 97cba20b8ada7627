import { availableParallelism } from 'node:os';

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

export default {
  testTimeout: 30_000,
  // Many files wait most of their time, for leases to end among others: more of them than there are cores.
  maxWorkers: Math.min(availableParallelism() + 2, 8),
  workerIdleMemoryLimit: '1GB',
  testSequencer: './test/jest/slowest-first.mjs',
  reporters: ['./test/jest/progress.mjs', 'summary'],
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,packages,chaos,dashboard}/**/*.spec.ts'] },
    { ...withDatabase, displayName: 'integration', testMatch: ['<rootDir>/test/integration/**/*.spec.ts'] },
    { ...withDatabase, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'] },
    { ...withDatabase, displayName: 'browser', testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'] },
    // Only `npm run lighthouse` runs it, for it fetches Lighthouse and takes minutes.
    ...(process.env.LIGHTHOUSE
      ? [{ ...withDatabase, displayName: 'lighthouse', testMatch: ['<rootDir>/test/lighthouse/*.ts'] }]
      : []),
  ],
};
