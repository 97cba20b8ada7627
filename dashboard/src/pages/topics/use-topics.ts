import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useNamed } from '../../components/use-named';

export type Topic = Schemas['TopicResponse'];

export const useTopics = () =>
  useNamed('topics', ({ signal, ...query }) => unwrap(api.GET('/api/topics', { params: { query }, signal })));
