import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useNamed } from '../../components/use-named';

export type ContactList = Schemas['ListResponse'];

export const useLists = () =>
  useNamed('lists', ({ signal, ...query }) => unwrap(api.GET('/api/lists', { params: { query }, signal })));
