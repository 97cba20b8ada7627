import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { useNamed } from '../../components/use-named';
import { t } from '../../texts/text';

/** All templates by name, and the chosen one with its content. */
export function useTemplates(chosenId: string | null) {
  const { optionsWith } = useNamed('templates', ({ signal, ...query }) =>
    unwrap(api.GET('/api/templates', { params: { query }, signal })),
  );
  const { data: chosen } = useQuery({
    queryKey: ['templates', chosenId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/templates/{id}', { params: { path: { id: chosenId ?? '' } }, signal })),
    enabled: chosenId !== null,
  });
  return {
    /** The options of a select field with this value. */
    optionsOf: (id: string | null) => optionsWith(id === null ? [] : [id], t('common.deletedTemplate')),
    chosen: chosenId === null ? undefined : chosen,
  };
}

export type Templates = ReturnType<typeof useTemplates>;
