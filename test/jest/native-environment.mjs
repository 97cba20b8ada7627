/** Where specs run: Jest's environment for Node, and the way to the modules that native-modules.mjs leaves to Node. */
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

import { TestEnvironment } from 'jest-environment-node';

import { importTypeScript, transformTypeScript } from '../support/import-typescript.mjs';

/** What specs compare or replace must be the same thing in their context and for the modules that Node has loaded. */
const SHARED = [
  'AggregateError',
  'Date',
  'Error',
  'JSON',
  'Map',
  'Math',
  'RangeError',
  'Set',
  'SyntaxError',
  'TypeError',
];

export default class NativeEnvironment extends TestEnvironment {
  variables = { ...process.env };

  async setup() {
    await super.setup();
    for (const name of SHARED) this.global[name] = globalThis[name];
    this.global.process.env = process.env;
    this.global.importNatively = (path) => importTypeScript(path);
    showOriginalPositions();
  }

  async teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    await super.teardown();
  }
}

/** Jest knows the source maps of specs alone. It sets its own formatter before each file. */
function showOriginalPositions() {
  const format = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, frames) => format(error, frames.map(atOriginalPosition));
}

function atOriginalPosition(frame) {
  const url = frame.getFileName();
  if (!url?.startsWith('file:') || !url.endsWith('.ts')) return frame;
  const path = fileURLToPath(url);
  const { originalLine, originalColumn } = mapOf(path).findEntry(
    frame.getLineNumber() - 1,
    frame.getColumnNumber() - 1,
  );
  if (originalLine === undefined) return frame;
  const position = {
    getFileName: () => path,
    getScriptNameOrSourceURL: () => path,
    getLineNumber: () => originalLine + 1,
    getColumnNumber: () => originalColumn + 1,
  };
  return new Proxy(frame, { get: (target, name) => position[name] ?? target[name].bind(target) });
}

const maps = new Map();

function mapOf(path) {
  if (!maps.has(path)) maps.set(path, new SourceMap(JSON.parse(transformTypeScript(path, { sourceMaps: true }).map)));
  return maps.get(path);
}
