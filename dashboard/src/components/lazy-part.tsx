import type { ComponentType, ReactNode } from 'react';

import type { Load } from '../app/lazy-with-texts';
import { onDemand } from './on-demand';
import { Loading, NotLoaded } from './states';

/**
 * A part of a page that is loaded after the page. If it cannot be loaded, its place says so and offers another attempt.
 * The rest of the page stays, with what is typed in it.
 */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  whileLoading: ReactNode = <Loading />,
): ComponentType<Props> {
  const usePart = onDemand(load);
  return function LazyPart(props: Props) {
    const { Loaded: Part, isFailed, retry } = usePart();
    if (Part) return <Part {...props} />;
    return isFailed ? <NotLoaded onRetry={retry} /> : whileLoading;
  };
}
