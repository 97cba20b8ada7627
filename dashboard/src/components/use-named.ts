import { useQuery } from '@tanstack/react-query';

interface Named {
  id: string;
  name: string;
}

interface Request {
  page: number;
  limit: number;
  signal: AbortSignal;
}

type LoadPage<T> = (request: Request) => Promise<{ items: readonly T[]; totalPages: number }>;

const LIMIT = 100;
const NOT_LOADED = '…';

/** All rows of the account that `load` returns page by page, sorted by name. `key` begins the key of their queries. */
export function useNamed<T extends Named>(key: string, load: LoadPage<T>) {
  const { data, error, refetch } = useQuery({
    queryKey: [key, 'all'],
    queryFn: ({ signal }) => loadAll(load, signal),
    staleTime: 30_000,
  });
  const rows = data ?? [];
  /** Returns undefined for a deleted row. */
  const nameOf = (id: string) => (data ? data.find((row) => row.id === id)?.name : NOT_LOADED);
  /** The options of a select field. Selected rows that have been deleted are labelled `deleted`. */
  const optionsWith = (selected: readonly string[], deleted = NOT_LOADED) => [
    ...rows.map(({ id, name }) => ({ value: id, label: name })),
    ...selected
      .filter((id) => !rows.some((row) => row.id === id))
      .map((id) => ({ value: id, label: nameOf(id) ?? deleted })),
  ];
  return { data, error, refetch, nameOf, optionsWith };
}

async function loadAll<T extends Named>(load: LoadPage<T>, signal: AbortSignal): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const response = await load({ page, limit: LIMIT, signal });
    rows.push(...response.items);
    pages = response.totalPages;
  }
  return rows.sort((a, b) => a.name.localeCompare(b.name));
}
