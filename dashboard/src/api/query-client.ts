import { QueryClient } from '@tanstack/react-query';

import { ApiError } from './client';

/** Only network errors and unavailable upstreams are retried; other error responses are final. */
const isTransient = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 502;

/**
 * The network state that the browser reports is ignored: the service may be on this machine, and a command that waits
 * for the network would run long after its dialog has been canceled.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
    mutations: { networkMode: 'always' },
  },
});
