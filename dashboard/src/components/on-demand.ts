import { type ComponentType, useEffect, useState } from 'react';

import type { Load } from '../app/lazy-with-texts';
import { reloadIfKept } from '../app/reload-if-kept';

/**
 * Returns a hook for a component that is loaded when it is first rendered. Unlike `lazy` of React, it does not keep a
 * failure: `retry`, and every new mount, is another attempt.
 */
export function onDemand<Props>(load: Load<Props>) {
  const attempt = reloadIfKept(load);
  let loaded: ComponentType<Props> | null = null;
  return function useOnDemand() {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Loaded || isFailed) return;
      let isGone = false;
      attempt().then(
        (module) => {
          loaded = module.default;
          if (!isGone) setLoaded(() => loaded);
        },
        () => {
          if (!isGone) setFailed(true);
        },
      );
      return () => {
        isGone = true;
      };
    }, [Loaded, isFailed]);
    return { Loaded, isFailed, retry: () => setFailed(false) };
  };
}
