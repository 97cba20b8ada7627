import { gzipSync } from 'node:zlib';

import type { Plugin, Rollup } from 'vite';

type Chunks = ReadonlyMap<string, Rollup.OutputChunk>;

/**
 * Fails the build if a page needs more gzipped JavaScript before it renders, its texts included, in the language that
 * has the longest ones. Other dynamic imports do not count.
 */
export function firstLoadLimit(maxBytes: number): Plugin {
  return {
    name: 'first-load-limit',
    apply: 'build',
    generateBundle: {
      // After Vite has added the names of the files to preload.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const byName: Chunks = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const entry = chunks.find(({ isEntry }) => isEntry);
        if (!entry) throw new Error('The bundle has no entry chunk');
        const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
        const sizeOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
        const sizeOfTexts = (section: string) =>
          Math.max(...textsOf(chunks, section).map(({ fileName }) => sizeOf([fileName])));
        for (const page of chunks) {
          const section = /\/src\/pages\/([a-z-]+)\/(?:.+\/)?[a-z-]+-page\.tsx$/.exec(page.facadeModuleId ?? '')?.[1];
          if (section === undefined) continue;
          const bytes = sizeOf(withStaticImports([entry, page], byName)) + sizeOfTexts('common') + sizeOfTexts(section);
          if (bytes > maxBytes)
            throw new Error(`${page.name} loads ${bytes} bytes of JavaScript, more than ${maxBytes}`);
        }
      },
    },
  };
}

/** The texts of the section in each language. */
const textsOf = (chunks: readonly Rollup.OutputChunk[], section: string): Rollup.OutputChunk[] =>
  chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${section}.json`));

/** The chunks and their static imports, recursively. */
function withStaticImports(
  start: readonly Rollup.OutputChunk[],
  byName: Chunks,
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
