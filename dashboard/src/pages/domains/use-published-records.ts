import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';

const REFRESH_EVERY_MS = 15_000;

/** What DNS has at the names of a domain's records: again and again while the page is open, if `isLive`. */
export function usePublishedRecords(id: string, isLive: boolean): Schemas['PublishedRecordsResponse'] | undefined {
  const { data } = useQuery({
    queryKey: ['domains', id, 'published'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/domains/{id}/published-records', { params: { path: { id } }, signal })),
    refetchInterval: isLive ? REFRESH_EVERY_MS : false,
    staleTime: REFRESH_EVERY_MS,
  });
  return data;
}
