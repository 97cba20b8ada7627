import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';

const REFRESH_EVERY_MS = 15_000;

export interface Published {
  /** Undefined until the records are loaded. */
  items: Schemas['PublishedRecordsResponse']['items'] | undefined;
  isFailed: boolean;
}

/** Looks up the names of a domain's records in DNS, repeatedly while the page is open if `isLive`. */
export function usePublishedRecords(id: string, isLive: boolean): Published {
  const { data, isError } = useQuery({
    queryKey: ['domains', id, 'published'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/domains/{id}/published-records', { params: { path: { id } }, signal })),
    refetchInterval: isLive ? REFRESH_EVERY_MS : false,
    staleTime: REFRESH_EVERY_MS,
  });
  return { items: data?.items, isFailed: isError };
}
