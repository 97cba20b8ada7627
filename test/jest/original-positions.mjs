/** The stacks of errors show the lines of TypeScript that Node has loaded through import-typescript.mjs, and none of ours. */
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformTypeScript } from '../support/import-typescript.mjs';

const HERE = new URL('.', import.meta.url).href;

/**
 * To be called for every file: Jest sets a formatter of its own, which knows only what Jest has loaded and is slow.
 * Clients such as supertest format a stack with each request.
 */
export function showOriginalPositions() {
  Error.prepareStackTrace = (error, frames) =>
    frames
      .filter((frame) => !frame.getFileName()?.startsWith(HERE))
      .reduce((text, frame) => `${text}\n    at ${textOf(frame)}`, titleOf(error));
}

const titleOf = ({ name, message }) => `${name || 'Error'}: ${message ?? ''}`;

function textOf(frame) {
  const url = frame.getFileName();
  const text = frame.toString();
  if (!url?.startsWith('file:')) return text;
  const path = fileURLToPath(url);
  if (!path.endsWith('.ts')) return text;
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  const { originalLine = line - 1, originalColumn = column - 1 } = mapOf(path).findEntry(line - 1, column - 1);
  return text.replace(`${url}:${line}:${column}`, () => `${path}:${originalLine + 1}:${originalColumn + 1}`);
}

const maps = new Map();

function mapOf(path) {
  if (!maps.has(path)) maps.set(path, new SourceMap(JSON.parse(transformTypeScript(path, { sourceMaps: true }).map)));
  return maps.get(path);
}
