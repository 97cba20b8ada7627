import { useFilters } from '../../components/use-filters';
import type { Contact } from './contact-status';

/** The contact filters, and the API query made of them. */
export function useContactFilters() {
  const filters = useFilters();
  const query = {
    search: filters.optional('search'),
    status: filters.optional('status') as Contact['status'] | undefined,
    tag: filters.optional('tag'),
    listId: filters.optional('listId'),
    topicId: filters.optional('topicId'),
  };
  return { filters, query };
}
