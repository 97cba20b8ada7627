/**
 * Imports TypeScript modules natively, outside of Jest's module system. This file is both the door and Node's loader
 * hooks: Node neither resolves our "./x.js" specifiers nor reads TypeScript with decorators.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformFileSync } from '@swc/core';

const SETTINGS = { configFile: fileURLToPath(new URL('../../.swcrc', import.meta.url)) };
const SDK = new URL('../../packages/sdk/src/index.ts', import.meta.url).href;
const JEST_GLOBALS = new URL('../jest/native-globals.mjs', import.meta.url).href;

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
  if (specifier === 'opt-in-delivery-sdk') return { url: SDK, shortCircuit: true };
  if (HAS_NO_EXTENSION.test(specifier)) return nextResolve(`${specifier}.ts`, context);
  return nextResolve(/^\..*\.js$/.test(specifier) ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export function load(url, context, nextLoad) {
  if (!isTypeScript(url)) return nextLoad(url, context);
  const { code } = transformTypeScript(fileURLToPath(url), { sourceMaps: false });
  return { format: 'module', source: code, shortCircuit: true };
}
