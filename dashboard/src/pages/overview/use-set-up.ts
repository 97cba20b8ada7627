import { useQuery } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client';
import { useDomains, useSenderIdentities } from '../../components/use-sender-identities';
import type { SetUp } from './first-run-steps';

const REFRESH_EVERY_MS = 5_000;
const ALL = { limit: 100 };

/** The newest message of the account, null if there is none, and undefined while it is being loaded. */
export function useNewestMessage() {
  const { data } = useQuery({
    queryKey: ['messages', 'newest'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages', { params: { query: { limit: 1 } }, signal })),
    staleTime: 60_000,
  });
  return data && (data.items[0] ?? null);
}

/** The set-up of the account, refreshed so that the checklist completes itself. */
export function useSetUp(): SetUp {
  const refetchInterval = REFRESH_EVERY_MS;
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
    refetchInterval,
  });
  const senders = useSenderIdentities(refetchInterval);
  const domains = useDomains(refetchInterval);
  const keys = useQuery({
    queryKey: ['api-keys', 'active'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/api-keys', { params: { query: { status: 'active', limit: 1 } }, signal })),
    refetchInterval,
  });
  const webhooks = useQuery({
    queryKey: ['webhooks', 'all'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/webhooks', { params: { query: ALL }, signal })),
    refetchInterval,
  });
  return {
    settings: settings.data,
    senders: senders.data?.items,
    domains: domains.data?.items,
    activeKeys: keys.data?.total,
    newestMessage: useNewestMessage(),
    webhooks: webhooks.data?.total,
  };
}
