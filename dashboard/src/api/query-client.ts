import { QueryClient } from '@tanstack/react-query';

import { ApiError } from './client';

/** Only network errors and unavailable upstreams are retried; other error responses are final. */
const isTransient = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 502;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && isTransient(error) },
  },
});
