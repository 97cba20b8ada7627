import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { sectionPaths } from './section-paths.ts';
import { firstLoadLimit } from './first-load-limit.ts';

export default defineConfig({
  // The service sets the path in the page's <base>.
  base: './',
  // The service replaces this with a fresh nonce in every response.
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), sectionPaths(), firstLoadLimit(250_000)],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licence notices that the libraries must be shipped with.
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '/api': 'http://localhost:3000', '/docs': 'http://localhost:3000' } },
});
