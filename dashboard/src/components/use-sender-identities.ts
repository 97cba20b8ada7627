import { useQuery } from '@tanstack/react-query';

import { api, unwrap } from '../api/client';

const FIRST_PAGE = { limit: 100 };

/** The sender identities of the account, as far as one page shows them. */
export const useSenderIdentities = (refetchInterval: number | false = false) =>
  useQuery({
    queryKey: ['senders', 'first-page'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/senders', { params: { query: FIRST_PAGE }, signal })),
    refetchInterval,
  });

/** The domains of the account, as far as one page shows them. */
export const useDomains = (refetchInterval: number | false = false) =>
  useQuery({
    queryKey: ['domains', 'first-page'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/domains', { params: { query: FIRST_PAGE }, signal })),
    refetchInterval,
  });
