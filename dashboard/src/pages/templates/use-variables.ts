import { useState } from 'react';

import { parseVariables } from './parse-variables';

/** The variables of the JSON text, or of its last valid version. Their identity changes only if the JSON does. */
export function useVariables(json: string): Record<string, unknown> {
  const [known, setKnown] = useState(() => ({ json, variables: parseVariables(json) ?? {} }));
  if (known.json === json) return known.variables;
  const next = { json, variables: parseVariables(json) ?? known.variables };
  setKnown(next);
  return next.variables;
}
