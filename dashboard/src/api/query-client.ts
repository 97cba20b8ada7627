import { QueryClient } from '@tanstack/react-query';

import { ApiError } from './client';

/** A refusal is an answer; only what may pass by itself is asked again. */
const mayPass = (error: Error): boolean => !(error instanceof ApiError) || error.status === 0 || error.status >= 502;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && mayPass(error) },
  },
});
