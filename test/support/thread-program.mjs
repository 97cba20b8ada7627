/** What specs get for `src/concurrency/thread-program.ts`: a program that loads the sources. */
export const THREAD_PROGRAM = new URL('./content-thread.mjs', import.meta.url);
