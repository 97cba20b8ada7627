import { gzipSync } from 'node:zlib';

import type { Plugin, Rollup } from 'vite';

/** Fails the build when some page needs more gzipped JavaScript than this before it shows; what it loads later is left out. */
export function firstLoadLimit(maxBytes: number): Plugin {
  return {
    name: 'first-load-limit',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const entry = chunks.find(({ isEntry }) => isEntry);
      if (!entry) throw new Error('There is no entry');
      const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
      for (const page of chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith('-page.tsx'))) {
        const bytes = [...needed([entry, page], byName)].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
        if (bytes > maxBytes) throw new Error(`${page.name} loads ${bytes} bytes of JavaScript, more than ${maxBytes}`);
      }
    },
  };
}

/** These chunks and all that they import, save for what they import later. */
function needed(
  start: readonly Rollup.OutputChunk[],
  byName: ReadonlyMap<string, Rollup.OutputChunk>,
  found = new Set<string>(),
): Set<string> {
  for (const { fileName, imports } of start) {
    if (found.has(fileName)) continue;
    found.add(fileName);
    needed(
      imports.flatMap((name) => byName.get(name) ?? []),
      byName,
      found,
    );
  }
  return found;
}
