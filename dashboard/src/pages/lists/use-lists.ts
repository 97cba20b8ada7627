import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';

export type ContactList = Schemas['ListResponse'];

const LIMIT = 100;
const NOT_LOADED = '…';

/** All lists of the account, sorted by name. */
export function useLists() {
  const { data } = useQuery({
    queryKey: ['lists', 'all'],
    queryFn: ({ signal }) => loadAll(signal),
    staleTime: 30_000,
  });
  const lists = data ?? [];
  /** Undefined for a list that has been deleted. */
  const nameOf = (id: string) => (data ? data.find((list) => list.id === id)?.name : NOT_LOADED);
  /** For select fields. Lists that are selected and have been deleted are called `deleted`. */
  const optionsWith = (selected: readonly string[], deleted = NOT_LOADED) => [
    ...lists.map(({ id, name }) => ({ value: id, label: name })),
    ...selected
      .filter((id) => !lists.some((list) => list.id === id))
      .map((id) => ({ value: id, label: nameOf(id) ?? deleted })),
  ];
  return { nameOf, optionsWith };
}

async function loadAll(signal: AbortSignal): Promise<ContactList[]> {
  const lists: ContactList[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const response = await unwrap(api.GET('/api/lists', { params: { query: { page, limit: LIMIT } }, signal }));
    lists.push(...response.items);
    pages = response.totalPages;
  }
  return lists.sort((a, b) => a.name.localeCompare(b.name));
}
