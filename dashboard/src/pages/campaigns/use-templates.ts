import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';

const LIMIT = 100;

/** All templates by name, and the chosen one with its content. */
export function useTemplates(chosenId: string | null) {
  const { data } = useQuery({
    queryKey: ['templates', 'all'],
    queryFn: ({ signal }) => loadAll(signal),
    staleTime: 30_000,
  });
  const { data: chosen } = useQuery({
    queryKey: ['templates', chosenId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/templates/{id}', { params: { path: { id: chosenId ?? '' } }, signal })),
    enabled: chosenId !== null,
  });
  return {
    options: (data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    chosen: chosenId === null ? undefined : chosen,
  };
}

export type Templates = ReturnType<typeof useTemplates>;

async function loadAll(signal: AbortSignal): Promise<Schemas['TemplateResponse'][]> {
  const templates: Schemas['TemplateResponse'][] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const response = await unwrap(api.GET('/api/templates', { params: { query: { page, limit: LIMIT } }, signal }));
    templates.push(...response.items);
    pages = response.totalPages;
  }
  return templates.sort((a, b) => a.name.localeCompare(b.name));
}
