import { type ComponentType, useEffect, useRef, useState } from 'react';

import type { Load } from '../app/lazy-with-texts';

/**
 * Returns a hook for a component that is loaded when it is first rendered. Unlike `lazy` of React, it does not keep a
 * failure: `retry`, and every new mount, is another attempt. `retry` reloads the page if the browser keeps the failure,
 * as Firefox does.
 */
export function onDemand<Props>(load: Load<Props>) {
  let loaded: ComponentType<Props> | null = null;
  return function useOnDemand() {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    const isRetry = useRef(false);
    useEffect(() => {
      if (Loaded || isFailed) return;
      let isGone = false;
      load().then(
        (module) => {
          loaded = module.default;
          if (!isGone) setLoaded(() => loaded);
        },
        async (error: unknown) => {
          const isKept = isRetry.current && (await isThere(error as Error));
          if (isGone) return;
          if (isKept) window.location.reload();
          setFailed(true);
        },
      );
      return () => {
        isGone = true;
      };
    }, [Loaded, isFailed]);
    const retry = () => {
      isRetry.current = true;
      setFailed(false);
    };
    return { Loaded, isFailed, retry };
  };
}

/** Whether the file of a failed import can be loaded by now. Browsers name it in the message of the error. */
async function isThere({ message }: Error): Promise<boolean> {
  const url = /https?:\S+/.exec(message)?.[0];
  if (url === undefined) return false;
  return fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
