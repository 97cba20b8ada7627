/**
 * Imports TypeScript modules natively, outside of Jest's module system. This file is both the door and Node's loader
 * hooks: Node neither resolves our "./x.js" specifiers nor reads TypeScript with decorators.
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { transformFileSync, transformSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SETTINGS = { configFile: fileURLToPath(new URL('../../.swcrc', import.meta.url)) };
const SDK = new URL('../../packages/sdk/src/index.ts', import.meta.url).href;
const JEST_GLOBALS = new URL('../jest/native-globals.mjs', import.meta.url).href;
const THREAD_PROGRAM = new URL('./thread-program.mjs', import.meta.url).href;

let registered = false;

/** `file` is absolute, or relative to test/support. */
export function importTypeScript(file) {
  if (!registered) registerHooks();
  registered = true;
  return import(new URL(file, import.meta.url).href);
}

/** Node 20 has only `register`, which newer versions deprecate. */
function registerHooks() {
  if (module.registerHooks) module.registerHooks({ resolve, load });
  else module.register(import.meta.url);
}

/** The code that is evaluated, and with `sourceMaps: true` where it comes from. */
export const transformTypeScript = (path, options) => transformFileSync(path, { ...SETTINGS, ...options });

const isTypeScript = (url) => url?.startsWith('file:') && new URL(url).pathname.endsWith('.ts');

/** The dashboard imports without an extension, which its bundler adds. */
const HAS_NO_EXTENSION = /^\..*\/[^./]+$/;

export function resolve(specifier, context, nextResolve) {
  if (!isTypeScript(context.parentURL)) return nextResolve(specifier, context);
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  if (specifier.endsWith('/thread-program.js')) return { url: THREAD_PROGRAM, shortCircuit: true };
  if (specifier === 'opt-in-delivery-sdk') return { url: SDK, shortCircuit: true };
  if (!/^\./.test(specifier)) return nextResolve(specifier, context);
  const file = HAS_NO_EXTENSION.test(specifier) ? `${specifier}.ts` : specifier.replace(/\.js$/, '.ts');
  const mutant = new URL(context.parentURL).searchParams.get('mutant');
  const isChanged = mutant && isChangedBy(mutant, fileURLToPath(new URL(file, context.parentURL)));
  return nextResolve(isChanged ? `${file}?mutant=${mutant}` : file, context);
}

export function load(url, context, nextLoad) {
  if (!isTypeScript(url)) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const mutant = new URL(url).searchParams.get('mutant');
  const source = (mutant && mutated(path, mutant)) ?? instrumented(path);
  const code = source === undefined ? evaluated(path, mutant !== null) : transformSync(source, inFile(path)).code;
  return { format: 'module', source: code, shortCircuit: true };
}

const inFile = (filename) => ({ ...SETTINGS, filename, sourceMaps: false });

const kept = new Map();

/** Kept if it is to be loaded again with the next mutant. */
function evaluated(path, isKept) {
  const code = kept.get(path) ?? transformTypeScript(path, { sourceMaps: false }).code;
  if (isKept) kept.set(path, code);
  return code;
}

let mutants;

/**
 * The file MUTANTS lists what to change in the text of a module, for a spec imported with "?mutant=<number>", and the
 * modules that import a changed one: these are loaded once more for each mutant (scripts/mutants).
 */
function readMutants() {
  mutants ??= JSON.parse(readFileSync(process.env.MUTANTS, 'utf8'));
  return mutants;
}

function isChangedBy(number, path) {
  const { list, importers } = readMutants();
  const { file } = list[number];
  const changed = relative(ROOT, path);
  return changed === file || importers[file].includes(changed);
}

function mutated(path, number) {
  const { file, start, end, replacement } = readMutants().list[number];
  if (relative(ROOT, path) !== file) return undefined;
  const source = readFileSync(path, 'utf8');
  return source.slice(0, start) + replacement + source.slice(end);
}

/** With COVERAGE set, the service counts how often each of its statements runs, in `globalThis.__coverage__`. */
function instrumented(path) {
  if (!process.env.COVERAGE || !isOfService(relative(ROOT, path))) return undefined;
  return instrumenter().instrumentSync(readFileSync(path, 'utf8'), path);
}

const isOfService = (file) => /^(?:src|packages\/embedded-postgres\/src)\//.test(file) && !file.endsWith('.spec.ts');

let loaded;

export function instrumenter() {
  loaded ??= module
    .createRequire(import.meta.url)('istanbul-lib-instrument')
    .createInstrumenter({ esModules: true, parserPlugins: ['typescript', 'decorators-legacy'] });
  return loaded;
}
