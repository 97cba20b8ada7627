import { builtFile } from '../shared/built-file.js';

/** What the threads run: `src/content/worker.ts`, as built. */
export const THREAD_PROGRAM: string | URL = builtFile('content-worker.js');
