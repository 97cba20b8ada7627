interface Key {
  table: string;
  /** The columns of a unique index, and SQL expressions of what to find in each. */
  key: Readonly<Record<string, string>>;
}

/**
 * An SQL expression: `value` of the row `k` with a unique key, null if there is none. It is the first row at or after
 * the key, if it has exactly that key: so a plan reads one entry of the index. For an equality or a join, a plan made
 * while the table was small reads all of it, the equality once for each key, and such a plan is used until the
 * statistics of the table are updated.
 */
export function findByKey({ table, key }: Key, value: string): string {
  const columns = Object.keys(key).map((column) => `k.${column}`);
  const values = Object.values(key).join(', ');
  return `(
      SELECT CASE WHEN (${columns.join(', ')}) = (${values}) THEN ${value} END FROM ${table} k
      WHERE (${columns.join(', ')}) >= (${values}) ORDER BY ${columns.join(', ')} LIMIT 1)`;
}
