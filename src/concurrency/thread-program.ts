import { builtFile } from '../shared/built-file.js';

/** The program of the threads: `src/content/worker.ts`, as built. */
export const THREAD_PROGRAM: string | URL = builtFile('content-worker.js');
