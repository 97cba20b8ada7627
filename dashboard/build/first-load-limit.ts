import { gzipSync } from 'node:zlib';

import type { Plugin, Rollup } from 'vite';

/** Fails the build if a page needs more gzipped JavaScript before it renders. Dynamic imports do not count. */
export function firstLoadLimit(maxBytes: number): Plugin {
  return {
    name: 'first-load-limit',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const entry = chunks.find(({ isEntry }) => isEntry);
      if (!entry) throw new Error('The bundle has no entry chunk');
      const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
      for (const page of chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith('-page.tsx'))) {
        const bytes = [...withStaticImports([entry, page], byName)].reduce(
          (sum, name) => sum + (sizes.get(name) ?? 0),
          0,
        );
        if (bytes > maxBytes) throw new Error(`${page.name} loads ${bytes} bytes of JavaScript, more than ${maxBytes}`);
      }
    },
  };
}

/** The chunks and their static imports, recursively. */
function withStaticImports(
  start: readonly Rollup.OutputChunk[],
  byName: ReadonlyMap<string, Rollup.OutputChunk>,
  found = new Set<string>(),
): Set<string> {
  for (const { fileName, imports } of start) {
    if (found.has(fileName)) continue;
    found.add(fileName);
    withStaticImports(
      imports.flatMap((name) => byName.get(name) ?? []),
      byName,
      found,
    );
  }
  return found;
}
