import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';

/** The mail as the current provider gets it, with the beginning of each attachment. */
export const useMailSource = (id: string) =>
  useQuery({
    queryKey: ['message', id, 'source'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/{id}/source', { params: { path: { id } }, signal })),
  });
