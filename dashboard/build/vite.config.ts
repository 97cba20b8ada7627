import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { addressList } from './address-list.ts';
import { firstLoadLimit } from './first-load-limit.ts';

export default defineConfig({
  // The service says under which path it is reached, in the page's <base>.
  base: './',
  // The service puts a nonce of its own into every answer.
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), addressList(), firstLoadLimit(250_000)],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The notices that the libraries ask to be shipped with.
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '/api': 'http://localhost:3000', '/docs': 'http://localhost:3000' } },
});
