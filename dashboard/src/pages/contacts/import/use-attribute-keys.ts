import { useQuery } from '@tanstack/react-query';

import { api, unwrap } from '../../../api/client';

const NEWEST = 100;

/** The names of the attributes that the newest contacts have. */
export function useAttributeKeys(): string[] {
  const { data } = useQuery({
    queryKey: ['contacts', 'attribute-keys'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/contacts', { params: { query: { limit: NEWEST } }, signal })),
  });
  return [...new Set(data?.items.flatMap(({ attributes }) => Object.keys(attributes)))];
}
