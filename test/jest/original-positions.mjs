/** The stacks of errors show the lines of TypeScript that Node has loaded through import-typescript.mjs, and none of ours. */
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformTypeScript } from '../support/import-typescript.mjs';

const HERE = new URL('.', import.meta.url).href;

/** To be called for every file: Jest sets a formatter of its own, which knows only what Jest has loaded. */
export function showOriginalPositions() {
  const format = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, frames) =>
    format(error, frames.filter((frame) => !frame.getFileName()?.startsWith(HERE)).map(atOriginalPosition));
}

function atOriginalPosition(frame) {
  const url = frame.getFileName();
  if (!url?.startsWith('file:')) return frame;
  const path = fileURLToPath(url);
  if (!path.endsWith('.ts')) return frame;
  const line = frame.getLineNumber() - 1;
  const { originalLine = line, originalColumn = 0 } = mapOf(path).findEntry(line, frame.getColumnNumber() - 1);
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
