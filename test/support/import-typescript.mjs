/**
 * Imports a TypeScript module natively. Jest runs global set-ups outside of its own module system, as CommonJS, where
 * neither our "./x.js" specifiers nor ESM packages resolve. This file is both the door and Node's loader hooks.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

const SWC_SETTINGS = fileURLToPath(new URL('../../.swcrc', import.meta.url));

let registered = false;

export function importTypeScript(file) {
  if (!registered) register(import.meta.url);
  registered = true;
  return import(new URL(file, import.meta.url).href);
}

export async function resolve(specifier, context, nextResolve) {
  const fromTypeScript = context.parentURL?.endsWith('.ts') && specifier.startsWith('.') && specifier.endsWith('.js');
  return nextResolve(fromTypeScript ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const { transform } = await import('@swc/core');
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { filename, configFile: SWC_SETTINGS });
  return { format: 'module', source: code, shortCircuit: true };
}
