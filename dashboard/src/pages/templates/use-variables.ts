import { useState } from 'react';

import { parseVariables } from './parse-variables';

/** The variables in the JSON, or those that it had before it was broken. They change only if the JSON does. */
export function useVariables(json: string): Record<string, unknown> {
  const [known, setKnown] = useState(() => ({ json, variables: parseVariables(json) ?? {} }));
  if (known.json === json) return known.variables;
  const next = { json, variables: parseVariables(json) ?? known.variables };
  setKnown(next);
  return next.variables;
}
