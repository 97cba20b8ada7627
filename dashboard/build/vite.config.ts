import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { compiledTexts } from './compiled-texts.ts';
import { sectionPaths } from './section-paths.ts';
import { firstLoadLimit } from './first-load-limit.ts';

export default defineConfig({
  // The service sets the path in the page's <base>.
  base: './',
  // The service replaces this with a fresh nonce in every response.
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), compiledTexts(), sectionPaths(), firstLoadLimit(250_000)],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // One style sheet: that of a part that failed to load would not be requested again with the part.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Modules that so many pages and dialogs share form one file: otherwise a page loads up to 64, most below 2 kB.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 20 }] } },
      // Imported by Lingui for texts that are not compiled; production has none.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/(@messageformat\/parser|moo)\//, sideEffects: false }] },
    },
    // The licence notices that the libraries must be shipped with.
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '/api': 'http://localhost:3000', '/docs': 'http://localhost:3000' } },
});
