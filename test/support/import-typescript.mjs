/**
 * Imports TypeScript modules natively, outside of Jest's module system. This file is both the door and Node's loader
 * hooks: Node resolves neither our "./x.js" specifiers nor reads TypeScript with decorators.
 */
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformFileSync } from '@swc/core';

const SWC_SETTINGS = fileURLToPath(new URL('../../.swcrc', import.meta.url));

let registered = false;

/** `file` is absolute, or relative to test/support. */
export function importTypeScript(file) {
  if (!registered) register(import.meta.url);
  registered = true;
  return import(new URL(file, import.meta.url).href);
}

export const transformTypeScript = (path, options) => transformFileSync(path, { configFile: SWC_SETTINGS, ...options });

export async function resolve(specifier, context, nextResolve) {
  const fromTypeScript = context.parentURL?.endsWith('.ts') && specifier.startsWith('.') && specifier.endsWith('.js');
  return nextResolve(fromTypeScript ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const { code } = transformTypeScript(fileURLToPath(url), { sourceMaps: false });
  return { format: 'module', source: code, shortCircuit: true };
}
