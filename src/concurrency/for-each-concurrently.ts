/**
 * Calls `work` for each item, for at most `concurrency` items at a time: a slow one delays no other as long as fewer
 * than that are slow. `work` must handle its own errors.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items].values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
