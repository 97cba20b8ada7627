import type { Plugin } from 'vite';

import { SECTION_PATHS } from '../src/app/section-paths.ts';

/** Writes addresses.json, from which the service knows the paths of the dashboard. */
export function sectionPaths(): Plugin {
  return {
    name: 'section-paths',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify(['login', ...SECTION_PATHS]) });
    },
  };
}
