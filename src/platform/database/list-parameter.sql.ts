/**
 * An array parameter of a prepared statement, such as `$1`. The sub-select hides its length. Otherwise PostgreSQL finds
 * that a plan for fewer than the ten elements it assumes costs less than the plan for any number, and plans the
 * statement again each time, which takes longer than running it.
 */
export const listParameter = (parameter: string, type = 'text'): string =>
  `(SELECT ${parameter}::${type}[])::${type}[]`;

/** The rows of parallel array parameters, from $1 on, with elements of these types. */
export const unnestParameters = (...types: string[]): string =>
  `unnest(${types.map((type, i) => listParameter(`$${i + 1}`, type)).join(', ')})`;
