/** Splits the items into groups of `size`, in order; the last one may be smaller. */
export const chunk = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** Groups the items by key. Groups keep the order of the items. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Yields all rows in batches of `size`, at least one; `list` returns those after a row, or the first ones. */
export async function* inBatches<T>(
  size: number,
  list: (last: T | undefined) => Promise<T[]>,
): AsyncGenerator<T[], void> {
  let batch: T[] = [];
  do {
    batch = await list(batch.at(-1));
    yield batch;
  } while (batch.length === size);
}
