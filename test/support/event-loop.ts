/** Resolves in the next iteration of the event loop. */
export const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Resolves when the timers of this length that exist already have fired: those of one length fire in their order. */
export const afterTimersOf = async (ms: number): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await nextIteration();
};

/** Calls `onIteration` in each iteration of the event loop until the work is done. */
export async function watchIterations<T>(work: () => Promise<T>, onIteration: () => void): Promise<T> {
  let next = setImmediate(function iterate() {
    onIteration();
    next = setImmediate(iterate);
  });
  try {
    return await work();
  } finally {
    clearImmediate(next);
  }
}

/** In how many iterations of the event loop the work is done. */
export async function countIterations(work: () => Promise<unknown>): Promise<number> {
  let iterations = 0;
  await watchIterations(work, () => (iterations += 1));
  return iterations;
}
