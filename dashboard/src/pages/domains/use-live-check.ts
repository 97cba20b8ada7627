import { useQuery, useQueryClient } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';

/** Well within the limit of checks of an account, also with several pages open. */
const CHECK_EVERY_MS = 20_000;

/** Checks the domain repeatedly while its page is open and visible, and updates the page. */
export function useLiveCheck(id: string, isEnabled: boolean): void {
  const queryClient = useQueryClient();
  useQuery({
    queryKey: ['domain-check', id],
    queryFn: async () => {
      const domain = await unwrap(api.POST('/api/domains/{id}/verify', { params: { path: { id } } }));
      queryClient.setQueryData(['domains', id], domain);
      return domain.status;
    },
    enabled: isEnabled,
    refetchInterval: CHECK_EVERY_MS,
    refetchIntervalInBackground: false,
    retry: false,
    gcTime: 0,
  });
}
