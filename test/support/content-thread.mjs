import { importTypeScript } from './import-typescript.mjs';

await importTypeScript('../../src/content/worker.ts');
