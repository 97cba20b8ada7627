/**
 * Runs a spec with the functions of Jest, but loads it and all that it imports as Node does. Jest itself would evaluate
 * every module again for each file, in a context whose globals are slow. Here the service is loaded once per worker:
 * after a change to it, watch mode has to be started again.
 */
import { fileURLToPath } from 'node:url';

import circus from 'jest-circus/runner';

import { importTypeScript } from '../support/import-typescript.mjs';
import { disableUsedStorages, withSequentialStorage } from './async-storage.mjs';
import { startRecording } from './coverage.mjs';
import { useGlobals } from './native-globals.mjs';
import { showOriginalPositions } from './original-positions.mjs';

const GLOBALS = fileURLToPath(new URL('./globals.mjs', import.meta.url));

/** Jest's context has its own of these. `expect` must compare with those of the spec. */
const BUILT_IN = Object.getOwnPropertyNames(globalThis).filter(
  (name) => /^[A-Z]/.test(name) && Object.getOwnPropertyDescriptor(globalThis, name).value?.prototype !== undefined,
);

/**
 * Jest asks a worker to end with this message, and kills it half a second later if something still runs in it. The
 * processes of scripts/mutants get messages of another kind.
 */
const END = 2;
process.on('message', (message) => {
  if (Array.isArray(message) && message[0] === END) process.exit();
});

/** The real ones: a spy on a faked timer that is restored late would leave the fake for the next file. */
const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, Date } = globalThis;
const TIMERS = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, Date };

let files = 0;

export default async function runNatively(globalConfig, config, environment, runtime, path, sendMessage) {
  const variables = { ...process.env };
  const requireInternalModule = runtime.requireInternalModule.bind(runtime);
  runtime.requireInternalModule = (...file) => withSequentialStorage(() => requireInternalModule(...file));
  const importInContext = runtime.unstable_importModule.bind(runtime);
  runtime.unstable_importModule = async (file) => {
    useGlobals((await importInContext(GLOBALS)).namespace);
    // A file that is run again must not come from Node's cache.
    const mutant = process.env.MUTANT ? `&mutant=${process.env.MUTANT}` : '';
    return importTypeScript(`${file}?run=${++files}${mutant}`);
  };
  for (const name of BUILT_IN) environment.global[name] = globalThis[name];
  environment.fakeTimersModern = new environment.fakeTimersModern.constructor({ config, global: globalThis });
  showOriginalPositions();
  if (process.env.MUTANT) skipAfterFailure(environment);
  const stopRecording = process.env.COVERAGE ? startRecording() : undefined;
  try {
    const result = await circus.default(globalConfig, config, environment, runtime, path, sendMessage);
    environment.global.__coverage__ = stopRecording?.(path, result);
    return result;
  } finally {
    // What one file has changed is not there for the next.
    environment.moduleMocker.restoreAllMocks();
    environment.fakeTimersModern.useRealTimers();
    Object.assign(globalThis, TIMERS);
    disableUsedStorages();
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  }
}

/** One failure is enough to notice a mutant. */
function skipAfterFailure(environment) {
  const handle = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = (event, state) => {
    // The tests that follow are skipped like those beside an `it.only`.
    if (event.name === 'test_done' && event.test.errors.length > 0) state.hasFocusedTests = true;
    return handle?.(event, state);
  };
}
