/**
 * Calls `work` for each item, of at most `concurrency` at a time: one that takes long delays no other as long as fewer
 * than so many do. `work` is expected to deal with its errors.
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
