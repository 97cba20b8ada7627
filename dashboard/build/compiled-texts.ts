import { basename } from 'node:path';

import type { Plugin } from 'vite';

import { compileTexts } from '../src/texts/compile-texts.ts';
import type { TextSection } from '../src/texts/text.ts';

const TEXTS = /\/src\/texts\/[a-z]+\/[a-z-]+\.json$/;

/** Parses the texts while building, so that browsers need no parser. */
export function compiledTexts(): Plugin {
  return {
    name: 'compiled-texts',
    enforce: 'pre',
    transform: {
      filter: { id: TEXTS },
      handler(json, file) {
        const texts = compileTexts(basename(file, '.json') as TextSection, JSON.parse(json) as Record<string, string>);
        return { code: `export default ${JSON.stringify(texts)}`, moduleType: 'js', map: null };
      },
    },
  };
}
