/** The fields whose values differ. Only these are to be sent: somebody else may have changed others meanwhile. */
export function changedFields<Values extends object>(before: Partial<Values>, after: Values): Partial<Values> {
  const known: Partial<Record<string, unknown>> = { ...before };
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(known[name]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Values>;
}
